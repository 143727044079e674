// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/occupancy/over_time.h"
#include "view/text/table.h"

namespace hm::text {

// A row for each who was measured, with its part of the cache over time; then who suffered from whom.
[[nodiscard]] std::string occupancy_over_time(const occupancy::OverTime& over, const Style& style);

// Below a time line of as many cells: a row of its part of the cache for each who held a hundredth of it at
// some time, and who suffered from whom.
[[nodiscard]] std::string occupancy_lanes(const occupancy::OverTime& over, const Style& style);

// Who suffered from whom, a paragraph each; empty where nobody did.
[[nodiscard]] std::string contention_lines(const occupancy::OverTime& over, const Style& style);

// Who suffered from whom, and what to do; `over` is what it is of.
[[nodiscard]] std::string contention_sentences(const occupancy::OverTime& over,
                                               const occupancy::Contention& contention);

}  // namespace hm::text
