// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/fleet/fleet_causes.h"

namespace hm::json {

// {"schema": 1, "service", "naming": naming_json(), "events": [{"event", "source", "unit", "samples",
// "measurements", "events", "rate": RATE, "places": [{"function", "module", "file", "line", "samples",
// "events", "share", "rate": RATE, "classes": [{"name", "samples", "share": RATE}...], "unclassified",
// "objects": [like "classes"], "advice": {"pattern", "remedy", "gain": {"low", "high", "why"}}}...]}...]}.
// RATE is as in fleet_json(). Unknown values are null: "classes" if no miss was classified, "gain" if it
// cannot be estimated.
[[nodiscard]] std::string fleet_causes_json(const fleet::FleetCauses& causes);

}  // namespace hm::json
