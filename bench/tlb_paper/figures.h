// SPDX-License-Identifier: MIT
// What the paper's figures show of one interval.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tlb_paper/simulation.h"

namespace hm::tlb_paper {

using RegionHits = std::vector<std::array<uint64_t, kWays>>;  // by region and depth

// Figures 8 and 9: the hits at a depth below each region's required associativity, as a part of the most that
// any choice of depths with the same sum (at most kWays for a region) covers. nullopt without hits.
[[nodiscard]] std::optional<double> covered_of_best(const RegionHits& hits,
                                                    const std::vector<uint32_t>& required);

// Figures 11 and 12: the part of hits no shallower than the greatest required associativity, in the regions
// that have it, divided by that part in the whole cache. nullopt where there are no such hits.
[[nodiscard]] std::optional<double> concentration(const RegionHits& hits,
                                                  const std::vector<uint32_t>& required);

}  // namespace hm::tlb_paper
