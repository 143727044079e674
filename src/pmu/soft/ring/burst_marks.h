// SPDX-License-Identifier: MIT
// When a process's bursts began. One thread at a time adds; others may read. Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft {

// One burst, or several consecutive ones.
struct BurstMark {
  uint64_t begin_ns;  // CLOCK_MONOTONIC
  uint64_t slots;     // instructions and data accesses in these bursts
};

// A bounded list: when it is full, each two neighbours become one mark, and each further mark stands for
// twice as many bursts. Zeroed memory is an empty list.
class BurstMarks {
 public:
  static constexpr uint32_t kMost = 512;

  void add(uint64_t begin_ns, uint64_t slots) {
    uint32_t last = count();
    if (last == 0 || in_last_ == uint64_t{1} << doublings_) {
      if (last == kMost) last = halve();
      marks_[last++] = {begin_ns, 0};
      in_last_ = 0;
    }
    marks_[last - 1].slots += slots;
    ++in_last_;
    __atomic_store_n(&count_, last, __ATOMIC_RELEASE);
  }

  [[nodiscard]] uint32_t count() const {
    uint32_t count = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
    return count < kMost ? count : kMost;  // another process's memory
  }
  // A reader may see a mark twice while neighbours are joined.
  [[nodiscard]] BurstMark at(uint32_t i) const { return marks_[i]; }

 private:
  uint32_t halve() {
    constexpr uint32_t kHalf = kMost / 2;
    for (uint32_t i = 0; i < kHalf; ++i)
      marks_[i] = {marks_[2 * i].begin_ns, marks_[2 * i].slots + marks_[2 * i + 1].slots};
    ++doublings_;
    return kHalf;
  }

  uint32_t count_;
  uint32_t doublings_;
  uint64_t in_last_;  // number of bursts in the last mark
  BurstMark marks_[kMost];
};

}  // namespace hm::soft
