// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/map/map.h"
#include "view/text/table.h"

namespace hm::text {

// A heat map, regions downwards and time to the right, with its legend; what the pressure is; the crowded
// regions and what crowds them.
[[nodiscard]] std::string map_view(const map::Map& map, const Style& style);

}  // namespace hm::text
