// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/occupancy/over_time.h"
#include "view/text/table.h"

namespace hm::text {

// A row for each who was measured, with its part of the cache over time; then who suffered from whom.
[[nodiscard]] std::string occupancy_over_time(const occupancy::OverTime& over, const Style& style);

// Who suffered from whom, a sentence; `over` is what it is of.
[[nodiscard]] std::string contention_sentence(const occupancy::OverTime& over,
                                              const occupancy::Contention& contention);

}  // namespace hm::text
