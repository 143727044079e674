// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/occupancy/over_time.h"

namespace hm::json {

[[nodiscard]] std::string occupancy_over_time_json(const occupancy::OverTime& over);

}  // namespace hm::json
