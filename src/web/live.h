// SPDX-License-Identifier: MIT
// Data for the page while it records, and the events that it can record.
#pragma once

#include <string>

#include "base/result.h"
#include "web/page_recorder.h"

namespace hm::web {

// {"schema": 1, "running", "command": [...], "path", "bytes", "seconds", "exit_status", "said"}; missing
// values are null.
[[nodiscard]] std::string recorder_json(const RecorderState& state);

// Returns the functions with the most samples so far, in the format of `report --json`. Fails with kNotFound
// if nothing is written yet, with kUnsupported if the recording has become too large to be read repeatedly.
[[nodiscard]] Result<std::string> live_hotspots(const RecorderState& state);

// Returns the events in the format of `list --json`, with this processor's encodings.
[[nodiscard]] Result<std::string> events_of_machine();

}  // namespace hm::web
