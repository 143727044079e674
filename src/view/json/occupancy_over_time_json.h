// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/occupancy/occupancy_over_time.h"
#include "view/json/values.h"

namespace hm::json {

// Returns a value to embed in another result.
[[nodiscard]] Json occupancy_over_time_value(const occupancy::OverTime& over);
[[nodiscard]] std::string occupancy_over_time_json(const occupancy::OverTime& over);

}  // namespace hm::json
