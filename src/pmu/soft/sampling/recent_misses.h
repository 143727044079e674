// SPDX-License-Identifier: MIT
// The last data accesses that missed a first-level cache or TLB, with their sites in translated code. The
// strides between an instruction's misses show how it walks through memory. Freestanding.
#pragma once

#include <stdint.h>

#include "record/extension.h"

namespace hm::soft {

class RecentMisses {
 public:
  static constexpr uint32_t kRemembered = 64;

  void add(uint64_t site, uint64_t address) { misses_[next_++ % kRemembered] = {site, address}; }

  // Returns the strides between the last misses of the most recent site.
  [[nodiscard]] record::MissSteps steps() const {
    record::MissSteps steps{};
    const Miss& last = misses_[(next_ - 1) % kRemembered];
    uint64_t after = last.address;
    for (uint32_t i = 2; i <= kRemembered && i <= next_ && steps.count < record::kMissSteps; ++i) {
      const Miss& miss = misses_[(next_ - i) % kRemembered];
      if (miss.site != last.site) continue;
      steps.bytes[steps.count++] = static_cast<int64_t>(after - miss.address);
      after = miss.address;
    }
    return steps;
  }

 private:
  struct Miss {
    uint64_t site;
    uint64_t address;
  };
  Miss misses_[kRemembered] = {};
  uint64_t next_ = 0;
};

}  // namespace hm::soft
