// SPDX-License-Identifier: MIT
// A fully associative LRU cache without its data: which lines are the so many most recently used.
// Freestanding.
//
// A log of uses in the order of their times. A use is alive until its line is used again. The lines in the
// cache are those of the living uses since `first_`: the oldest is the victim. Whoever calls keeps each
// line's time, so nothing is searched.
#pragma once

#include <stdint.h>

#include "model/arena.h"

namespace hm::model {

class RecencyLog {
 public:
  using Time = uint32_t;
  static constexpr Time kNever = 0;
  static constexpr Time kLongAgo = 1;  // out of the cache

  RecencyLog() = default;
  // Of `entries` lines; times begin at `start`.
  RecencyLog(uint64_t entries, Arena& arena, Time start = kStart)
      : entries_(static_cast<uint32_t>(entries)), first_(start), next_(start) {
    while (mask_ + 1 < 4 * entries) mask_ = 2 * mask_ + 1;
    lines_ = arena.take<uint64_t>(mask_ + 1);
    alive_ = arena.take<uint64_t>((mask_ + 1) / 64);
  }

  // `line` is used, whose `time` is that of its last use: true where the cache had it. `times(line)` is the
  // time of any line, to be changed; `times.each(change)` calls change(time) for all that are not kNever.
  template <typename Times>
  [[gnu::always_inline]] bool use(uint64_t line, Time& time, const Times& times) {
    if (next_ - first_ > mask_) close_gaps(times);
    before_ = time;
    bool present = time >= first_;
    if (present) {
      flip(time);
    } else if (count_ == entries_) {
      drop_oldest();
    } else {
      ++count_;
    }
    lines_[next_ & mask_] = line;
    flip(next_);
    time = next_++;
    return present;
  }

  // How many other lines were used between the last use and the one before, of the same line; kNotKept where
  // these were at least as many as the cache has entries, or there was none.
  static constexpr uint32_t kNotKept = ~uint32_t{0};
  [[nodiscard]] uint32_t lines_between() const {
    if (before_ < first_) return kNotKept;
    uint32_t count = 0;
    for (Time time = before_ + 1; time < next_ - 1;) {
      Time end = (time | 63) + 1;
      uint64_t word = alive_[(time & mask_) / 64] >> (time % 64);
      if (end >= next_) word &= (uint64_t{1} << (next_ - 1 - time)) - 1;
      count += static_cast<uint32_t>(__builtin_popcountll(word));
      time = end;
    }
    return count;
  }
  // Whether the last use but so many, or a later one, was at `time`.
  [[nodiscard]] bool is_recent(Time time, uint32_t uses) const {
    return time > kLongAgo && next_ - 1 - time <= uses;
  }
  [[nodiscard]] uint32_t entries() const { return entries_; }

  // The line whose time that is leaves the cache.
  void drop(Time& time) {
    if (time >= first_) {
      flip(time);
      --count_;
    }
    time = kLongAgo;
  }

 private:
  static constexpr Time kStart = 2;
  static constexpr Time kLastTime = 0xf0000000;

  void flip(Time time) { alive_[(time & mask_) / 64] ^= uint64_t{1} << (time % 64); }

  // The time of the oldest use that is alive, at or after `time`. There is one.
  [[nodiscard]] Time next_alive(Time time) const {
    uint64_t word = alive_[(time & mask_) / 64] >> (time % 64);
    if (word != 0) return time + static_cast<Time>(__builtin_ctzll(word));
    time = (time | 63) + 1;
    while (alive_[(time & mask_) / 64] == 0) time += 64;
    return time + static_cast<Time>(__builtin_ctzll(alive_[(time & mask_) / 64]));
  }

  void drop_oldest() {
    first_ = next_alive(first_);
    flip(first_++);
  }

  // The log is full, mostly of dead uses: the living ones are used again, in the same order. Their new places
  // begin where the oldest use was, so that none is overwritten before it was read.
  template <typename Times>
  [[gnu::noinline]] void close_gaps(const Times& times) {
    Time from = first_;
    Time to = first_ + static_cast<Time>(mask_) + 1;
    first_ = to;
    for (uint32_t left = count_; left > 0; --left) {
      from = next_alive(from);
      uint64_t line = lines_[from & mask_];
      flip(from++);
      lines_[to & mask_] = line;
      flip(to);
      times(line) = to++;
    }
    next_ = to;
    if (next_ >= kLastTime) begin_anew(times);
  }

  // Before times wrap. Places in the log stay.
  template <typename Times>
  void begin_anew(const Times& times) {
    Time shift = (first_ - kStart) & ~static_cast<Time>(mask_);
    times.each([&](Time& time) { time = time >= first_ ? time - shift : kLongAgo; });
    first_ -= shift;
    next_ -= shift;
  }

  uint32_t entries_ = 0;
  uint32_t count_ = 0;  // of lines in the cache
  Time first_ = kStart;
  Time next_ = kStart;
  Time before_ = kNever;  // when the line that was used last was used before
  uint64_t mask_ = 63;
  uint64_t* lines_ = nullptr;  // by time, modulo the size of the log
  uint64_t* alive_ = nullptr;  // a bit each
};

}  // namespace hm::model
