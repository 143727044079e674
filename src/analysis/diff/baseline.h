// SPDX-License-Identifier: MIT
// A recording as a small file that is kept in a repository: totals, and the rows that matter.
//
// {"schema": 1, "kind": "hardmeter baseline", "recorder", "pmu", "engine", "machine", "collected",
// "processor",
//  "command": [WORD...], "remarks": [SENTENCE...], "columns": ["function", "dso"], "rows_from": 0.005,
//  "events": {NAME: {"total", "counted", "running", "instructions", "sampled": {"complete", "samples",
//  "effective_samples", "weight", "rows": [{"function", "dso", "samples", "weight"}...]}}}}
//
// A member that does not hold is left out: "collected", "engine" and others where they are not told,
// "running" where it is 1, "counted", "instructions" and "complete" where false, "sampled" where the event
// was not. Meanings: recording.h.
#pragma once

#include <string>
#include <string_view>

#include "analysis/diff/recording.h"
#include "base/result.h"

namespace hm::diff {

// Rows with a smaller share of their event's samples than `rows_from` are left out.
[[nodiscard]] std::string write_baseline(const Recording& recording, double rows_from);

// Untrusted text. `name` is the file's, for messages and Recording::name. kDamaged, one sentence.
[[nodiscard]] Result<Recording> read_baseline(std::string_view text, const std::string& name);

}  // namespace hm::diff
