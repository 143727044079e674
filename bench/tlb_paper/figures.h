// SPDX-License-Identifier: MIT
// Values of the paper's figures for one interval.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tlb_paper/simulation.h"

namespace hm::tlb_paper {

using RegionHits = std::vector<std::array<uint64_t, kWays>>;  // by region and depth

// Figures 8 and 9: the hits at a depth below each region's required associativity, divided by the maximum
// over all choices of depths with the same sum (at most kWays per region). nullopt without hits.
[[nodiscard]] std::optional<double> covered_of_best(const RegionHits& hits,
                                                    const std::vector<uint32_t>& required);

// Figures 11 and 12: the fraction of hits at least as deep as the maximum required associativity, in the
// regions with this maximum, divided by that fraction in the whole cache. nullopt if there are no hits that
// deep.
[[nodiscard]] std::optional<double> concentration(const RegionHits& hits,
                                                  const std::vector<uint32_t>& required);

}  // namespace hm::tlb_paper
