// SPDX-License-Identifier: MIT
// Tracks the most recently used pages and the number of ways that each region of a cache needs to hold them.
// Updated on each use.
#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

#include "model/required_associativity.h"

namespace hm::map {

class RecentPages {
 public:
  // Tracks at most `most` (> 0) distinct pages, the content of a fully associative LRU TLB with `most`
  // entries.
  RecentPages(const model::CacheRegions& regions, size_t most)
      : regions_(regions), most_(most), ways_(regions.count(), 0) {}

  // `page` is the page number.
  void use(uint64_t page) {
    auto [found, is_new] = places_.try_emplace(page);
    if (!is_new) return order_.splice(order_.begin(), order_, found->second);
    order_.push_front(page);
    found->second = order_.begin();
    ways_[regions_.region_of(page)] += regions_.ways_of_page();
    if (order_.size() <= most_) return;
    uint64_t oldest = order_.back();
    ways_[regions_.region_of(oldest)] -= regions_.ways_of_page();
    places_.erase(oldest);
    order_.pop_back();
  }

  // Returns the required associativity of each region.
  [[nodiscard]] const std::vector<uint32_t>& ways() const { return ways_; }
  // Returns the pages, most recent first.
  [[nodiscard]] const std::list<uint64_t>& pages() const { return order_; }

 private:
  model::CacheRegions regions_;
  size_t most_;
  std::list<uint64_t> order_;
  std::unordered_map<uint64_t, std::list<uint64_t>::iterator> places_;
  std::vector<uint32_t> ways_;
};

}  // namespace hm::map
