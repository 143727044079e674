// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/fleet/causes.h"

namespace hm::json {

// {"schema": 1, "service", "naming": naming_json(), "events": [{"event", "source", "unit", "samples",
// "measurements", "events", "rate": RATE, "places": [{"function", "module", "file", "line", "samples",
// "events", "share", "rate": RATE, "classes": [{"name", "samples", "share": RATE}...], "unclassified",
// "objects": [as classes], "advice": {"pattern", "remedy", "gain": {"low", "high", "why"}}}...]}...]}. RATE
// as in fleet_json(). null: not known, of classes also that none was measured; of a gain, that nothing tells
// it.
[[nodiscard]] std::string fleet_causes_json(const fleet::FleetCauses& causes);

}  // namespace hm::json
