// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/fleet/fleet_causes.h"
#include "view/text/table.h"

namespace hm::text {

// Returns a paragraph for each location, hottest first, one event after the other.
[[nodiscard]] std::string fleet_causes(const fleet::FleetCauses& causes, const Style& style);

}  // namespace hm::text
