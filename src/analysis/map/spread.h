// SPDX-License-Identifier: MIT
// Counts how often pages are evicted from their region, both in their current regions and moved to other
// regions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/map/recent_pages.h"
#include "profile/event_counts.h"

namespace hm::map {

struct Moved {
  uint64_t crowded_out =
      0;  // samples that find their page evicted: other pages filled the region since its last use
  uint64_t crowded_out_after = 0;         // crowded_out with the pages moved
  std::optional<profile::Share> removed;  // removed fraction of crowded_out; nullopt if crowded_out is 0
};

class MovedEstimate {
 public:
  // `most`: number of recent distinct pages considered in use.
  MovedEstimate(const model::CacheRegions& regions, uint32_t ways, size_t most)
      : regions_(regions),
        places_(std::max(ways / regions.ways_of_page(), 1u)),
        as_it_is_(regions.count()),
        moved_(regions.count()),
        recent_(regions, most) {}

  // Adds a sampled use of the page with the weight `period`. `new_region()` returns the region to move the
  // page to; it is called on the first use of the page.
  template <typename NewRegion>
  void use(uint64_t page, std::optional<uint64_t> period, NewRegion&& new_region) {
    auto [found, is_first] = moved_pages_.try_emplace(page);
    if (is_first) found->second = pages_++ * regions_.count() + new_region();
    bool out = is_out(as_it_is_[regions_.region_of(page)], page);
    bool out_after = is_out(moved_[regions_.region_of(found->second)], found->second);
    recent_.use(found->second);
    if (is_first) return;  // the first use is no eviction
    if (out) before_.add(period);
    if (out_after) after_.add(period);
  }

  // Returns the region that the moved pages need least; the lowest index breaks ties.
  [[nodiscard]] uint64_t least_needed() const {
    const std::vector<uint32_t>& ways = recent_.ways();
    return static_cast<uint64_t>(std::ranges::min_element(ways) - ways.begin());
  }

  [[nodiscard]] Moved result() const {
    Moved moved{before_.samples, after_.samples, {}};
    if (moved.crowded_out == 0) return moved;
    double before = static_cast<double>(before_.weight());
    double after = std::min(static_cast<double>(after_.weight()), before);
    double effective_samples = before * before / before_.squares;
    moved.removed = profile::wilson_share(1 - after / before, effective_samples);
    return moved;
  }

 private:
  using Recency = std::vector<uint64_t>;  // most recent first

  // Returns true if the page is not among the region's recent pages. Makes the page the most recent one.
  bool is_out(Recency& region, uint64_t page) const {
    auto found = std::ranges::find(region, page);
    bool out = found == region.end();
    if (out && region.size() < places_) {
      region.push_back(page);
      found = region.end() - 1;
    }
    if (out && found == region.end()) *--found = page;
    std::rotate(region.begin(), found, found + 1);
    return out;
  }

  model::CacheRegions regions_;
  size_t places_;  // capacity of a region, in pages
  std::vector<Recency> as_it_is_, moved_;
  std::unordered_map<uint64_t, uint64_t> moved_pages_;
  RecentPages recent_;  // the moved pages
  uint64_t pages_ = 0;
  profile::EventCount before_, after_;  // uses of pages that were crowded out: as pages lie, and moved
};

}  // namespace hm::map
