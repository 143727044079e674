// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "analysis/diff/profile_diff.h"

namespace hm::json {

// {"schema": 1, "before": SIDE, "after": SIDE, "differences": [{"what", "before", "after"}...],
// "processors": how they differ or null, "notes": [...], "totals": {EVENT: {"before", "after", "estimated",
// "running", CHANGE}}, "only_before": [EVENT...], "only_after", "columns": [...], "renamed": {FUNCTION: its
// name after}, "rows": {EVENT: {"samples_before", "samples_after", "exact", "rows": [ROW...]}}, "limits":
// [{"limit", "verdict": "within"|"exceeded"|"undetermined"|"gone", "from_samples", "before": ESTIMATE,
// "after": ESTIMATE, CHANGE}...]}
//
// SIDE: {"files", "baseline", "pmu", "engine", "machine", "command", "remarks"}; unknown texts are empty.
// ROW: a member for each column, "samples_before", "samples_after", "before": ESTIMATE, "after": ESTIMATE,
// CHANGE. ESTIMATE: {"value", "low", "high"}, with a null value if only the limits are known. CHANGE:
// "change", "relative" (0.02 is 2 % more), "interval": {"low", "high"}, "exact", "significant"; unknown
// values are null.
[[nodiscard]] std::string diff_json(const diff::Diff& result);

// {"schema": 1, "commands": [{"name", "failure": sentence or null, "comparison": the object above without
// "schema", or null after a failure}...]}
[[nodiscard]] std::string diffs_json(std::span<const diff::NamedDiff> results);

}  // namespace hm::json
