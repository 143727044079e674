// SPDX-License-Identifier: MIT
// A recording as a small file that is kept in a repository: totals, and the rows that matter.
//
// {"schema": 1, "kind": "hardmeter baseline", "recorder", "pmu", "engine", "machine", "collected",
// "processor", "processor_features", "processor_caches",
//  "command": [WORD...], "remarks": [SENTENCE...], "columns": ["function", "dso"], "rows_from": 0.005,
//  "events": {NAME: {"total", "counted", "running", "instructions", "sampled": {"complete", "samples",
//  "effective_samples", "weight", "rows": [{"function", "dso", "samples", "weight"}...],
//  "inlined": [{"function", "dso", "functions": [NAME...], "samples", "weight"}...]}}},
//  "functions": {NAME: {"file", "line", "instructions", "code": HEX}}}
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

// UTF-8's, and UTF-16's of both byte orders, which editors and shells of Windows write.
inline constexpr size_t kMostMarkBytes = 3;
[[nodiscard]] bool has_byte_order_mark(std::string_view text);

// Untrusted text. `name` is the file's, for messages and Recording::name. kInvalidArgument, one sentence.
[[nodiscard]] Result<Recording> read_baseline(std::string_view text, const std::string& name);

}  // namespace hm::diff
