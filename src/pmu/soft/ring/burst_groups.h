// SPDX-License-Identifier: MIT
// What a process counted in its bursts. Confidence intervals follow from the differences between bursts, or
// between groups of consecutive ones. One thread at a time adds; others may read. Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/counted.h"

namespace hm::soft {

// One burst, or several consecutive ones.
struct BurstGroup {
  uint64_t begin_ns;  // CLOCK_MONOTONIC
  uint64_t bursts;
  Counted counted;

  // Adds a group that begins later.
  void add(const BurstGroup& more) {
    bursts += more.bursts;
    counted.add(more.counted);
  }
};

// A bounded list in the order in which bursts ended. When it is full, each two neighbours become one group,
// and each further group has twice as many bursts. Zeroed memory is an empty list.
class BurstGroups {
 public:
  static constexpr uint32_t kMost = 256;

  void add(uint64_t begin_ns, const Counted& burst) {
    uint32_t last = count();
    if (last == 0 || groups_[last - 1].bursts == uint64_t{1} << doublings_) {
      if (last == kMost) last = halve();
      groups_[last++] = {begin_ns, 0, {}};
    }
    groups_[last - 1].add({begin_ns, 1, burst});
    __atomic_store_n(&count_, last, __ATOMIC_RELEASE);
    __atomic_store_n(&bursts_, bursts_ + 1, __ATOMIC_RELAXED);
  }

  // Number of bursts in all groups.
  [[nodiscard]] uint64_t bursts() const { return __atomic_load_n(&bursts_, __ATOMIC_RELAXED); }

  [[nodiscard]] uint32_t count() const {
    uint32_t count = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
    return count < kMost ? count : kMost;  // another process's memory
  }
  // A reader may see a burst twice while neighbours are joined.
  [[nodiscard]] BurstGroup at(uint32_t i) const { return groups_[i]; }

 private:
  uint32_t halve() {
    constexpr uint32_t kHalf = kMost / 2;
    for (uint32_t i = 0; i < kHalf; ++i) {
      groups_[i] = groups_[2 * i];
      groups_[i].add(groups_[2 * i + 1]);
    }
    ++doublings_;
    return kHalf;
  }

  uint32_t count_;
  uint32_t doublings_;
  uint64_t bursts_;
  BurstGroup groups_[kMost];
};

}  // namespace hm::soft
