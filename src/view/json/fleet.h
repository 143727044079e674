// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/fleet/fleet.h"

namespace hm::json {

// {"schema": 1, "event", "source", "unit", "samples", "measurements", "events", "load", "keys": [NAME...],
// "rows":
// [{"keys": [...], "samples", "events", "share", "rate": {"value", "low", "high"}}...]}. Rates are events for
// each unit of load; null where no load was measured, its limits where measurements are too few.
[[nodiscard]] std::string fleet_json(const fleet::Table& table);

// {"schema": 1, "event", "unit", "before": {"samples", "measurements", "rate"}, "after": {...}, "keys":
// [...], "rows":
// [{"keys", "samples_before", "samples_after", "before": RATE, "after": RATE, "difference": {"value", "low",
// "high"}, "significant"}...]}
[[nodiscard]] std::string fleet_comparison_json(const fleet::Comparison& comparison);

}  // namespace hm::json
