// SPDX-License-Identifier: MIT
// A fully associative LRU cache without its data: the N most recently used lines. Freestanding.
//
// A log of uses in the order of their times. A use is live until its line is used again. The lines in the
// cache are those of the live uses since `first_`; the oldest live use is the victim's. The caller keeps each
// line's time, so no search is necessary.
#pragma once

#include <stdint.h>

#include "model/arena.h"

namespace hm::model {

// The fields that a use changes have a separate host cache line, because other cores read the memory around
// them.
class alignas(64) RecencyLog {
 public:
  using Time = uint32_t;
  static constexpr Time kNever = 0;
  static constexpr Time kLongAgo = 1;  // out of the cache

  RecencyLog() = default;
  // A cache of `entries` lines; times begin at `start`.
  RecencyLog(uint64_t entries, Arena& arena, Time start = kStart)
      : entries_(static_cast<uint32_t>(entries)), first_(start), next_(start) {
    while (mask_ + 1 < 4 * entries) mask_ = 2 * mask_ + 1;
    lines_ = arena.take<uint64_t>(mask_ + 1);
    alive_ = arena.take<uint64_t>((mask_ + 1) / 64);
  }

  // Uses `line`. `time` is the time of its last use, and becomes the time of this use. Returns true if the
  // cache had the line. `times(line)` is a reference to any line's time; `times.each(change)` calls
  // change(time) for all times except kNever.
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

  // Returns how many other lines were used between the last use and that line's previous use (its stack
  // distance). Returns kNotKept if they were at least as many as the cache has entries, or there was no
  // previous use.
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
  // Whether the use at `time` is one of the last `uses` + 1 uses.
  [[nodiscard]] bool is_recent(Time time, uint32_t uses) const {
    return time > kLongAgo && next_ - 1 - time <= uses;
  }
  // Whether the cache has the line that was last used at `time`.
  [[nodiscard]] bool holds(Time time) const { return time >= __atomic_load_n(&first_, __ATOMIC_RELAXED); }
  [[nodiscard]] uint32_t entries() const { return entries_; }

  // Removes the line with this time from the cache.
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

  // Returns the time of the oldest live use at or after `time`. There must be one.
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

  // Handles a full log, which consists mostly of dead uses: rewrites the live uses, in the same order. Their
  // new entries begin at the oldest use's entry, so that none is overwritten before it has been read.
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

  // Called before times wrap: reduces all times; entries keep their positions in the log.
  template <typename Times>
  void begin_anew(const Times& times) {
    Time shift = (first_ - kStart) & ~static_cast<Time>(mask_);
    times.each([&](Time& time) { time = time >= first_ ? time - shift : kLongAgo; });
    first_ -= shift;
    next_ -= shift;
  }

  uint32_t entries_ = 0;
  uint32_t count_ = 0;  // number of lines in the cache
  Time first_ = kStart;
  Time next_ = kStart;
  Time before_ = kNever;  // the previous use of the most recent line
  uint64_t mask_ = 63;
  uint64_t* lines_ = nullptr;  // by time, modulo the size of the log
  uint64_t* alive_ = nullptr;  // one bit per entry: the use is live
};

}  // namespace hm::model
