// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/fleet/fleet_over_time.h"
#include "analysis/fleet/fleet_rows.h"

namespace hm::json {

// {"schema": 1, "event", "source", "unit", "samples", "measurements", "events", "load", "first_s", "last_s",
// "naming": naming_json(), "keys": [NAME...], "rows": [{"keys": [...], "samples", "events", "share", "rate":
// {"value", "low", "high"}, "first_s", "last_s"}...]}. Rates are events per unit of load. A rate is null if
// no load was measured; its limits are null if there are too few measurements. Times are in seconds since
// 1970.
[[nodiscard]] std::string fleet_json(const fleet::Table& table);

// {"schema": 1, "event", "unit", "before": {"samples", "measurements", "rate"}, "after": {...},
// "naming": naming_json(), "keys":
// [...], "rows":
// [{"keys", "samples_before", "samples_after", "before": RATE, "after": RATE, "difference": {"value", "low",
// "high"}, "significant"}...]}
[[nodiscard]] std::string fleet_comparison_json(const fleet::Comparison& comparison);

// {"schema": 1, "event", "source", "unit", "samples", "measurements", "begin_s", "end_s", "bucket_s", "rate",
// "moments": [{"begin_s", "samples", "measurements", "events", "rate"}...], "step": null or {"at_s",
// "before": RATE, "after": RATE, "difference": {"value", "low", "high"}}, "can_detect_steps"}. Buckets
// without a measurement are omitted.
[[nodiscard]] std::string fleet_over_time_json(const fleet::OverTime& over_time);

// {"schema": 1, "measurements", "first_s", "last_s", "event", "events": [CHOICE...], "services", "hosts",
// "releases"}. CHOICE: {"name", "samples", "first_s", "last_s"}; CHOICEs of "events" also have "source" and
// "unit".
[[nodiscard]] std::string fleet_choices_json(const fleet::Choices& choices);

}  // namespace hm::json
