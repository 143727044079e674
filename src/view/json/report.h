// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/hotspots/hotspots.h"

namespace hm::json {

// {"schema": 1, "recording": {...}, "sort": [...], "events": {NAME: {"samples", "estimated"}}, "all_rows": N,
// "rows": [ROW...]} ROW: a member for each sort key; "dso" (null where the row's samples are in several);
// "counts" (event -> samples), "estimated" (event -> events, null where not measured), "share" (event ->
// {"value", "low", "high"}, null where the event has no samples); "callers", with call chains: [{"function",
// "dso", "samples", "share", "callers"}...].
[[nodiscard]] std::string hotspots_json(const profile::Profile& profile, const hotspots::Hotspots& result);

}  // namespace hm::json
