// SPDX-License-Identifier: MIT
// Pieces of address space.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/runtime/memory.h"

namespace hm::soft::direct {

struct Range {
  uint64_t start, end;
};

// Sorted, none touching another.
class Ranges {
 public:
  // The end of the range that holds `address`; 0 where there is none.
  [[nodiscard]] uint64_t end_at(uint64_t address) const {
    uint32_t i = first_behind(address);
    return i < count_ && ranges_[i].start <= address ? ranges_[i].end : 0;
  }

  // Whether one of them holds all of [start, end).
  [[nodiscard]] bool hold(uint64_t start, uint64_t end) const { return end_at(start) >= end; }

  // What [start, end) shares with the first range that it shares anything with; empty where there is none.
  [[nodiscard]] Range first_in(uint64_t start, uint64_t end) const {
    uint32_t i = first_behind(start);
    if (i == count_ || ranges_[i].start >= end) return {end, end};
    const Range& found = ranges_[i];
    return {found.start > start ? found.start : start, found.end < end ? found.end : end};
  }

  // A range could not be added for want of memory, since the last clear().
  [[nodiscard]] bool lost_any() const { return lost_any_; }
  // The next change may be one too many.
  [[nodiscard]] bool is_nearly_full() const { return count_ + 2 > kMost; }
  void clear() {
    count_ = 0;
    lost_any_ = false;
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }

  void add(uint64_t start, uint64_t end) {
    remove(start, end);
    uint32_t at = first_behind(start);
    if (at > 0 && ranges_[at - 1].end == start) {
      start = ranges_[--at].start;
      erase(at);
    }
    if (at < count_ && ranges_[at].start == end) {
      end = ranges_[at].end;
      erase(at);
    }
    insert(at, {start, end});
  }

  void remove(uint64_t start, uint64_t end) {
    uint32_t i = first_behind(start);
    while (i < count_ && ranges_[i].start < end) {
      Range old = ranges_[i];
      erase(i);
      if (old.start < start) insert(i++, {old.start, start});
      if (old.end > end) insert(i++, {end, old.end});
    }
  }

 private:
  static constexpr uint32_t kMost = 65536;

  // The first range that ends behind `address`.
  [[nodiscard]] uint32_t first_behind(uint64_t address) const {
    uint32_t low = 0, high = count_;
    while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (ranges_[middle].end <= address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  void insert(uint32_t at, Range range) {
    if (ranges_ == nullptr) ranges_ = take<Range>(kMost);
    if (ranges_ == nullptr || count_ == kMost) {
      lost_any_ = true;
      return;
    }
    for (uint32_t i = count_++; i > at; --i) ranges_[i] = ranges_[i - 1];
    ranges_[at] = range;
  }
  void erase(uint32_t at) {
    --count_;
    for (uint32_t i = at; i < count_; ++i) ranges_[i] = ranges_[i + 1];
  }

  Range* ranges_ = nullptr;
  uint32_t count_ = 0;
  bool lost_any_ = false;
};

}  // namespace hm::soft::direct
