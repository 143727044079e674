// SPDX-License-Identifier: MIT
// Tracks the mappings reported to the recorder, to decide whether later mappings must be reported. Anonymous
// memory is mapped and unmapped constantly and is not of interest. It is reported only if the recorder would
// otherwise attribute it to the previous mapping. Freestanding; used by one thread at a time.
#pragma once

#include <stdint.h>

namespace hm::soft {

// Ranges last reported as a file's mapping or a stack. If there are too many, the oldest are forgotten.
// Anonymous memory there may then be attributed to the previous mapping.
class ReportedRanges {
 public:
  void add(uint64_t start, uint64_t end) {
    if (start >= end) return;
    ranges_[next_ % kMost] = {start, end};
    ++next_;
  }

  // Returns whether anything in [start, end) was reported, and marks the range as not reported.
  bool take_over(uint64_t start, uint64_t end) {
    bool any = false;
    uint32_t count = next_ < kMost ? next_ : kMost;
    for (uint32_t i = 0; i < count; ++i) {
      Range old = ranges_[i];
      if (old.start == old.end || old.end <= start || old.start >= end) continue;
      any = true;
      ranges_[i] = {old.start, old.start < start ? start : old.start};
      if (old.end > end && old.start < start)
        add(end, old.end);
      else if (old.end > end)
        ranges_[i] = {end, old.end};
    }
    return any;
  }

 private:
  static constexpr uint32_t kMost = 4096;

  struct Range {
    uint64_t start, end;
  };
  Range ranges_[kMost] = {};
  uint32_t next_ = 0;
};

// The heap after the program's data, up to the program break. The break moves in small steps; the reported
// end is rounded up to a power of two, to save records. No other mapping lies that close after the heap.
class ReportedHeap {
 public:
  static constexpr uint64_t kMinBytes = uint64_t{1} << 20;

  // Sets the break to `end`; the first call sets the heap's start. Returns true if [start(), reported_end())
  // has to be reported again.
  bool grows(uint64_t end) {
    if (start_ == 0) start_ = reported_end_ = end;
    if (end <= reported_end_) return false;
    uint64_t bytes = kMinBytes;
    while (bytes < end - start_) bytes *= 2;
    reported_end_ = start_ + bytes;
    return true;
  }
  [[nodiscard]] uint64_t start() const { return start_; }
  [[nodiscard]] uint64_t reported_end() const { return reported_end_; }

 private:
  uint64_t start_ = 0;
  uint64_t reported_end_ = 0;
};

}  // namespace hm::soft
