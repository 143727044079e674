// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>

#include "model/required_associativity.h"
#include "profile/profile.h"

namespace hm::map {

// Gives pages numbers that differ between processes: equal virtual addresses of two processes are different
// data. A page keeps the region of its address.
class ProcessPages {
 public:
  // `physical`: pages are page frames, which have one number for all processes.
  ProcessPages(const profile::Profile& profile, const model::CacheRegions& regions, bool physical)
      : profile_(profile), stride_(stride_for(regions)), physical_(physical) {}

  // `page`: a virtual address of the thread, divided by the page size.
  [[nodiscard]] uint64_t number(uint32_t thread, uint64_t page) {
    return physical_ ? page : page + process_of(thread) * stride_;
  }

 private:
  // Returns a number of pages that exceeds those of a process's address space.
  static uint64_t stride_for(const model::CacheRegions& regions) {
    constexpr uint64_t kMinStride = uint64_t{1} << 48;
    return (kMinStride / regions.count() + 1) * regions.count();
  }

  uint64_t process_of(uint32_t thread) {
    return processes_.try_emplace(profile_.threads[thread].pid, processes_.size()).first->second;
  }

  const profile::Profile& profile_;
  uint64_t stride_;
  bool physical_;
  std::unordered_map<uint32_t, uint64_t> processes_;  // in the order of their first use
};

}  // namespace hm::map
