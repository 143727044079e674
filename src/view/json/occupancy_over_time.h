// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/occupancy/over_time.h"
#include "view/json/values.h"

namespace hm::json {

// To be a part of another result.
[[nodiscard]] Json occupancy_over_time_value(const occupancy::OverTime& over);
[[nodiscard]] std::string occupancy_over_time_json(const occupancy::OverTime& over);

}  // namespace hm::json
