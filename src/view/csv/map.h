// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/map/map.h"

namespace hm::csv {

// A line for each region and time: time_ns (where the column begins), region, ways. Nothing for columns
// before the first sample.
[[nodiscard]] std::string map_lines(const map::Map& map);

}  // namespace hm::csv
