// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/branches/branches.h"
#include "profile/profile.h"

namespace hm::json {

// {"schema": 1, "recording": {...}, "sort": "function" or "ip", "samples", "entries", "empty_entries",
// "all_rows", "rows": [ROW...]} ROW: "from", "to": {"function", "dso", "address" (null
// where rows are functions)}, "entries", "share", "mispredicted", "predicted" (null where the hardware does
// not say), "misprediction_rate" (likewise), "mean_cycles" (null where not measured).
[[nodiscard]] std::string branches_json(const profile::Profile& profile, const branches::Branches& result);

}  // namespace hm::json
