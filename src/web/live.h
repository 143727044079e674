// SPDX-License-Identifier: MIT
// What the page shows while it records, and what it can record.
#pragma once

#include <string>

#include "base/result.h"
#include "web/recorder.h"

namespace hm::web {

// {"schema": 1, "running", "command": [...], "path", "bytes", "seconds", "exit_status", "said"}; null is what
// is not there yet.
[[nodiscard]] std::string recorder_json(const RecorderState& state);

// The functions with the most samples so far, as `report --json`. kNotFound where nothing is written yet;
// kUnsupported where the recording has become too large to be read again and again.
[[nodiscard]] Result<std::string> live_hotspots(const RecorderState& state);

// As `list --json`: with what this processor would make of each.
[[nodiscard]] Result<std::string> events_of_machine();

}  // namespace hm::web
