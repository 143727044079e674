// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/map/cache_map.h"

namespace hm::csv {

// Returns a line for each region and time: time_ns (where the column begins), region, ways. Columns before
// the first sample have no lines.
[[nodiscard]] std::string map_lines(const map::Map& map);

}  // namespace hm::csv
