// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/map/process_pages.h"
#include "model/required_associativity.h"
#include "profile/profile.h"

namespace hm::map {

// Computes the ways that each region needs for the pages in TLBs: the last recorded TLB content of each
// thread's core.
class TlbPages {
 public:
  // `pages` must outlive this object.
  TlbPages(const profile::Profile& profile, const model::CacheRegions& regions, uint64_t page_bytes,
           ProcessPages& pages)
      : profile_(profile),
        regions_(regions),
        page_bytes_(page_bytes),
        pages_(pages),
        ways_(regions.count(), 0) {}

  void take(const profile::TlbState& state) {
    uint32_t thread = profile_.samples.thread[state.sample];
    std::vector<uint64_t>& pages = by_thread_[thread];
    pages.clear();
    for (uint64_t page : state.pages)
      pages.push_back(pages_.number(thread, page * state.page_bytes / page_bytes_));
    std::unordered_set<uint64_t> all;
    for (const auto& [owner, held] : by_thread_) all.insert(held.begin(), held.end());
    std::ranges::fill(ways_, 0);
    for (uint64_t page : all) ways_[regions_.region_of(page)] += regions_.ways_of_page();
  }
  [[nodiscard]] const std::vector<uint32_t>& ways() const { return ways_; }

 private:
  const profile::Profile& profile_;
  model::CacheRegions regions_;
  uint64_t page_bytes_;
  ProcessPages& pages_;
  std::unordered_map<uint32_t, std::vector<uint64_t>> by_thread_;
  std::vector<uint32_t> ways_;
};

}  // namespace hm::map
