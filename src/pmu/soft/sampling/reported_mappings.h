// SPDX-License-Identifier: MIT
// Which mappings have been reported to the recorder, as far as that decides whether later ones must be.
// Anonymous memory is mapped and unmapped all the time, and is of no interest: it is reported only where the
// recorder would otherwise take it for the mapping that was there before. Freestanding; one thread at a time.
#pragma once

#include <stdint.h>

namespace hm::soft {

// Ranges that were last reported as a file's mapping or a stack. When there are too many, the oldest are
// forgotten: then anonymous memory there may be taken for what was there before.
class ReportedRanges {
 public:
  void add(uint64_t start, uint64_t end) {
    if (start >= end) return;
    places_[next_ % kMost] = {start, end};
    ++next_;
  }

  // Whether anything in [start, end) was reported; it no longer counts as reported then.
  bool take_over(uint64_t start, uint64_t end) {
    bool any = false;
    uint32_t count = next_ < kMost ? next_ : kMost;
    for (uint32_t i = 0; i < count; ++i) {
      Place old = places_[i];
      if (old.start == old.end || old.end <= start || old.start >= end) continue;
      any = true;
      places_[i] = {old.start, old.start < start ? start : old.start};
      if (old.end > end && old.start < start)
        add(end, old.end);
      else if (old.end > end)
        places_[i] = {end, old.end};
    }
    return any;
  }

 private:
  static constexpr uint32_t kMost = 4096;

  struct Place {
    uint64_t start, end;
  };
  Place places_[kMost] = {};
  uint32_t next_ = 0;
};

// The heap behind the program's data, whose end is the program break. The break moves in small steps; what is
// reported is rounded up to a power of two, so that it takes few records. Nothing else is mapped so near
// behind it.
class ReportedHeap {
 public:
  static constexpr uint64_t kLeastBytes = uint64_t{1} << 20;

  // The break is at `end` now; the first call says where the heap begins. True where [start(),
  // reported_end()) has to be reported anew.
  bool grows(uint64_t end) {
    if (start_ == 0) start_ = reported_end_ = end;
    if (end <= reported_end_) return false;
    uint64_t bytes = kLeastBytes;
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
