// SPDX-License-Identifier: MIT
#include "tlb_paper/figures.h"

#include <algorithm>
#include <numeric>

namespace hm::tlb_paper {
namespace {

uint64_t below(const std::array<uint64_t, kWays>& hits, uint32_t depth) {
  return std::accumulate(hits.begin(), hits.begin() + std::min(depth, kWays), uint64_t{0});
}

// Returns the maximum number of hits that `ways` ways in total can cover. best[n] is the maximum for n ways
// over the regions so far (a knapsack).
uint64_t best_cover(const RegionHits& hits, uint32_t ways) {
  std::vector<uint64_t> best(ways + 1, 0);
  for (const auto& region : hits) {
    std::vector<uint64_t> with(best);
    for (uint32_t taken = 1; taken <= std::min(kWays, ways); ++taken) {
      uint64_t covered = below(region, taken);
      for (uint32_t all = taken; all <= ways; ++all)
        with[all] = std::max(with[all], best[all - taken] + covered);
    }
    best = std::move(with);
  }
  return best[ways];
}

}  // namespace

std::optional<double> covered_of_best(const RegionHits& hits, const std::vector<uint32_t>& required) {
  uint64_t covered = 0;
  uint32_t ways = 0;
  for (size_t i = 0; i < hits.size(); ++i) {
    covered += below(hits[i], required[i]);
    ways += std::min(required[i], kWays);
  }
  uint64_t best = best_cover(hits, ways);
  return best == 0 ? std::nullopt : std::optional(static_cast<double>(covered) / static_cast<double>(best));
}

std::optional<double> concentration(const RegionHits& hits, const std::vector<uint32_t>& required) {
  uint32_t greatest = *std::ranges::max_element(required);
  uint64_t deep = 0, all = 0, deep_there = 0, all_there = 0;
  for (size_t i = 0; i < hits.size(); ++i) {
    uint64_t hits_here = below(hits[i], kWays), deep_here = hits_here - below(hits[i], greatest);
    all += hits_here;
    deep += deep_here;
    if (required[i] != greatest) continue;
    all_there += hits_here;
    deep_there += deep_here;
  }
  if (deep == 0 || all_there == 0) return std::nullopt;
  double there = static_cast<double>(deep_there) / static_cast<double>(all_there);
  return there / (static_cast<double>(deep) / static_cast<double>(all));
}

}  // namespace hm::tlb_paper
