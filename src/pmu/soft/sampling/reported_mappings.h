// SPDX-License-Identifier: MIT
// What the recorder has been told of, as far as later mappings must be told for it. Memory that is no file's
// is mapped and unmapped all the time, and nobody asks for it: it is told of only where the recorder would
// take it for something else. Freestanding; one thread at a time.
#pragma once

#include <stdint.h>

namespace hm::soft {

// Places whose last telling says that they are a file's, or a stack. Of more than it holds the oldest are
// forgotten: then memory there may be taken for what was there before.
class ReportedRanges {
 public:
  void add(uint64_t start, uint64_t end) {
    if (start >= end) return;
    places_[next_ % kMost] = {start, end};
    ++next_;
  }

  // Whether anything in [start, end) was told of; from then on it was not.
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

// The program break moves in small steps. What the recorder is told of the memory behind the program's data
// is rounded up to a power of two, so that it takes few records; nothing else is mapped so near behind it.
class ReportedHeap {
 public:
  static constexpr uint64_t kLeastBytes = uint64_t{1} << 20;

  // The break is at `end` now; the first call tells where the memory begins. True where there is more to be
  // told: [start(), reported_end()).
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
