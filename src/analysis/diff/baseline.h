// SPDX-License-Identifier: MIT
// A recording reduced to a small file for version control: the totals and the rows that matter.
//
// {"schema": 1, "kind": "hardmeter baseline", "recorder", "pmu", "engine", "machine", "collected",
// "reproducible", "layout", "processor", "processor_features", "processor_caches",
//  "command": [WORD...], "remarks": [SENTENCE...], "columns": ["function", "dso"], "rows_from": 0.005,
//  "events": {NAME: {"total", "counted", "running", "instructions", "sampled": {"complete", "samples",
//  "effective_samples", "weight", "rows": [{"function", "dso", "samples", "weight"}...],
//  "inlined": [{"function", "dso", "functions": [NAME...], "samples", "weight"}...]}}},
//  "functions": {NAME: {"name", "file", "line", "instructions", "code": HEX}}}
//
// The "name" of a function is its NAME without the file, if NAME has one: "walk (one.c)".
// Members without information are omitted: "layout" if it is the usual one, "collected", "engine" and similar
// texts if unknown, "running" if 1, "counted", "instructions" and "complete" if false, "sampled" if the event
// was not sampled. For the meanings, see diff_recording.h.
#pragma once

#include <string>
#include <string_view>

#include "analysis/diff/diff_recording.h"
#include "base/result.h"

namespace hm::diff {

// Returns the baseline as text, without rows that have a smaller share of their event's samples than
// `rows_from`.
[[nodiscard]] std::string write_baseline(const Recording& recording, double rows_from);

// Length of the longest byte order mark. UTF-8 and UTF-16 marks of both byte orders are detected, because
// Windows editors and shells write them.
inline constexpr size_t kMaxMarkBytes = 3;
[[nodiscard]] bool has_byte_order_mark(std::string_view text);

// Parses untrusted text. `name` is the file name for messages and Recording::name. Fails with
// kInvalidArgument and a one-sentence message.
[[nodiscard]] Result<Recording> read_baseline(std::string_view text, const std::string& name);

}  // namespace hm::diff
