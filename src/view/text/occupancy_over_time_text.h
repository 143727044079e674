// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/occupancy/occupancy_over_time.h"
#include "view/text/table.h"

namespace hm::text {

// Returns a row for each measured holder with its part of the cache over time, then the contention between
// holders.
[[nodiscard]] std::string occupancy_over_time(const occupancy::OverTime& over, const Style& style);

// Returns rows to show below a time line with equally many cells: one for each holder that had at least a
// hundredth of the cache at some time, then the contention between holders.
[[nodiscard]] std::string occupancy_lanes(const occupancy::OverTime& over, const Style& style);

// Returns a paragraph for each contention between holders. Empty if there is none.
[[nodiscard]] std::string contention_lines(const occupancy::OverTime& over, const Style& style);

// Describes one contention of `over`: the victim, the cause and the remedy.
[[nodiscard]] std::string contention_sentences(const occupancy::OverTime& over,
                                               const occupancy::Contention& contention);

}  // namespace hm::text
