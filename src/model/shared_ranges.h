// SPDX-License-Identifier: MIT
// The common lines of a process: lines in memory that other processes may map, too. Each has a number that is
// the same in all processes. If a process maps memory at several addresses, several of its lines are one
// common line. Freestanding.
//
// One thread at a time changes the ranges; any thread may read them. A reader of a line with a mapping in the
// middle of a change may get the old or the new result.
#pragma once

#include <stdint.h>

namespace hm::model {

class SharedRanges {
 public:
  static constexpr uint32_t kMost = 128;
  static constexpr uint64_t kPrivate = ~uint64_t{0};

  [[nodiscard]] bool empty() const { return get(count_) == 0; }

  // Makes lines [first, end) the common lines from `common` on. Returns false if there are too many ranges:
  // these lines then count as private.
  bool add(uint64_t first, uint64_t end, uint64_t common) {
    remove(first, end);
    if (has_lines_of(common, end - first)) set(may_have_aliases_, true);
    return put(first, end, common);
  }
  void remove(uint64_t first, uint64_t end) {
    uint32_t count = count_;
    for (uint32_t i = 0; i < count; ++i) {
      Range old = ranges_[i];
      if (old.first >= end || old.end <= first) continue;
      set(ranges_[i].end, old.first < first ? first : old.first);
      if (old.end > end) put(end, old.end, old.common + (end - old.first));
    }
  }

  // Returns false as long as no two lines of the process have been the same memory.
  [[nodiscard]] bool may_have_aliases() const { return get(may_have_aliases_); }
  // Returns the first line of the process, in the order of the ranges, that is the same memory as `line`.
  [[nodiscard]] uint64_t representative(uint64_t line) const {
    uint64_t number = common(line);
    if (number == kPrivate) return line;
    bool found = false;
    for_each_line(number, [&](uint64_t each) {
      if (!found) line = each;
      found = true;
    });
    return line;
  }

  // Calls visit(first, end) for each range of common lines in [first, end).
  template <typename Visit>
  void for_each_piece(uint64_t first, uint64_t end, Visit&& visit) const {
    for (uint32_t i = 0; i < count_; ++i) {
      const Range& range = ranges_[i];
      uint64_t from = first > range.first ? first : range.first;
      uint64_t to = end < range.end ? end : range.end;
      if (from < to) visit(range.common + (from - range.first), range.common + (to - range.first));
    }
  }

  // Returns the line's common number; kPrivate: no other process can have the line.
  [[nodiscard]] uint64_t common(uint64_t line) const {
    uint32_t count = get(count_);
    for (uint32_t i = 0; i < count; ++i) {
      uint64_t first = get(ranges_[i].first);
      if (line >= first && line < get(ranges_[i].end)) return get(ranges_[i].common) + (line - first);
    }
    return kPrivate;
  }

  // Returns the end of the range that contains the line; the line itself if there is none.
  [[nodiscard]] uint64_t end_of(uint64_t line) const {
    for (uint32_t i = 0; i < count_; ++i) {
      if (line >= ranges_[i].first && line < ranges_[i].end) return ranges_[i].end;
    }
    return line;
  }

  // Calls visit(line) for each line of this process that is this common line.
  template <typename Visit>
  void for_each_line(uint64_t common, Visit&& visit) const {
    uint32_t count = get(count_);
    for (uint32_t i = 0; i < count; ++i) {
      uint64_t first = get(ranges_[i].first), end = get(ranges_[i].end), begin = get(ranges_[i].common);
      if (first < end && common >= begin && common - begin < end - first) visit(first + (common - begin));
    }
  }

 private:
  struct Range {
    uint64_t first, end, common;
  };

  template <typename Value>
  static Value get(const Value& value) {
    return __atomic_load_n(&value, __ATOMIC_ACQUIRE);
  }
  template <typename Value>
  static void set(Value& place, Value value) {
    __atomic_store_n(&place, value, __ATOMIC_RELEASE);
  }

  // Whether one of the common lines from `common` on is already in a range.
  [[nodiscard]] bool has_lines_of(uint64_t common, uint64_t lines) const {
    for (uint32_t i = 0; i < count_; ++i) {
      const Range& range = ranges_[i];
      uint64_t size = range.end - range.first;
      if (size != 0 && common < range.common + size && range.common < common + lines) return true;
    }
    return false;
  }

  bool put(uint64_t first, uint64_t end, uint64_t common) {
    uint32_t i = 0;
    while (i < count_ && ranges_[i].first < ranges_[i].end) ++i;
    if (i == kMost) return false;
    set(ranges_[i].end, uint64_t{0});  // makes the range empty meanwhile
    set(ranges_[i].first, first);
    set(ranges_[i].common, common);
    set(ranges_[i].end, end);
    if (i == count_) set(count_, count_ + 1);
    return true;
  }

  uint32_t count_ = 0;
  bool may_have_aliases_ = false;
  Range ranges_[kMost] = {};
};

}  // namespace hm::model
