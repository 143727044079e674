// SPDX-License-Identifier: MIT
// How often pages are crowded out of their region, as they lie and evenly spread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/map/recent_pages.h"
#include "profile/event_counts.h"

namespace hm::map {

// Pages that first come to be used get the region that is needed least (Kessler and Hill, "Page Placement
// Algorithms for Large Real-Indexed Caches", ACM Transactions on Computer Systems 10 (1992)): what page
// colouring or padding can reach.
struct Spread {
  uint64_t crowded_out = 0;  // samples of pages before whose last use as many others of the region were used
  uint64_t crowded_out_after = 0;         // the same with the pages spread
  std::optional<profile::Share> removed;  // of the former; nullopt where there are none
};

class SpreadEstimate {
 public:
  // `most`: of distinct pages, those that are taken as in use.
  SpreadEstimate(const model::CacheRegions& regions, uint32_t ways, size_t most)
      : regions_(regions),
        places_(std::max(ways / regions.ways_of_page(), 1u)),
        as_it_is_(regions.count()),
        spread_(regions.count()),
        recent_(regions, most) {}

  void use(uint64_t page) {
    auto [found, is_first] = moved_.try_emplace(page);
    if (is_first) found->second = move();
    bool out = is_out(as_it_is_[regions_.region_of(page)], page);
    bool out_after = is_out(spread_[regions_.region_of(found->second)], found->second);
    recent_.use(found->second);
    if (is_first) return;  // no page was there before its first use
    result_.crowded_out += out ? 1 : 0;
    result_.crowded_out_after += out_after ? 1 : 0;
  }

  [[nodiscard]] Spread result() const {
    Spread spread = result_;
    if (spread.crowded_out == 0) return spread;
    auto before = static_cast<double>(spread.crowded_out);
    double after = std::min(static_cast<double>(spread.crowded_out_after), before);
    spread.removed = profile::wilson_share(1 - after / before, before);
    return spread;
  }

 private:
  using Recency = std::vector<uint64_t>;  // the most recent first

  // Whether the page is not among the most recent ones; now it is the first.
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

  // The number of a page in the region that needs the fewest ways now.
  uint64_t move() {
    const std::vector<uint32_t>& ways = recent_.ways();
    auto least = static_cast<uint64_t>(std::ranges::min_element(ways) - ways.begin());
    return pages_++ * regions_.count() + least;
  }

  model::CacheRegions regions_;
  size_t places_;  // pages that a region holds
  std::vector<Recency> as_it_is_, spread_;
  std::unordered_map<uint64_t, uint64_t> moved_;  // by page
  RecentPages recent_;                            // of the moved ones
  uint64_t pages_ = 0;
  Spread result_;
};

}  // namespace hm::map
