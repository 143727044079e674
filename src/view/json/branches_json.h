// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/branches/branches.h"
#include "profile/profile.h"

namespace hm::json {

// {"schema": 1, "recording": {...}, "sort": "function" or "ip", "samples", "entries", "empty_entries",
// "all_rows", "rows": [ROW...]}. ROW: "from", "to": {"function", "dso", "address" (null if rows are
// functions)}, "entries", "share", "mispredicted", "predicted", "misprediction_rate" (null if the
// hardware does not report them), "mean_cycles" (null if not measured).
[[nodiscard]] std::string branches_json(const profile::Profile& profile, const branches::Branches& result);

}  // namespace hm::json
