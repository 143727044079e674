// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/hotspots/hotspots.h"

namespace hm::json {

// {"schema": 1, "recording": {...}, "sort": [...], "events": {NAME: {"samples", "estimated"}}, "all_rows": N,
// "rows": [ROW...]}. ROW: a member for each sort key; "dso" (null if the row's samples are in several);
// "counts" (event -> samples), "estimated" (event -> events, null if not measured), "share" (event ->
// {"value", "low", "high"}, null if the event has no samples); with call chains also "callers": [{"function",
// "dso", "samples", "share", "callers"}...].
[[nodiscard]] std::string hotspots_json(const profile::Profile& profile, const hotspots::Hotspots& result);

}  // namespace hm::json
