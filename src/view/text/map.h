// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/map/map.h"
#include "view/text/table.h"

namespace hm::text {

// Returns a heat map with regions downwards and time to the right, and its legend. The meaning of the
// pressure follows, and the crowded regions with the objects that crowd them.
[[nodiscard]] std::string map_view(const map::Map& map, const Style& style);

}  // namespace hm::text
