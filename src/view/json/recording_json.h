// SPDX-License-Identifier: MIT
#pragma once

#include "profile/profile.h"
#include "view/json/values.h"

namespace hm::json {

// {"pmu", "command", "caches": [{"level", "type" ("Data", "Instruction", "Unified"), "bytes", "sets", "ways",
// "line_bytes", "cpus" (that share it: "0-3")}...] (of the real or the modelled machine), "cpu_time"
// (record/cpu_use.h; null if not recorded), "stopped", "part" (record/run_part.h; null if the recording has
// the whole run), "lost": {"records", "samples"}, "clock", "problems", "notes"}: the member "recording" of
// every result. "pmu" is the name in the recording, or null if it has none. "command" is a list of words.
// "clock": {EVENT: {"samples", "attributed", "accesses", "addresses", "stayed": {REASON: N}}} is the result
// of profile/clock_attribution.h; REASON is as in symbol/code/waiting.h.
[[nodiscard]] Json recording_json(const profile::Profile& profile);

}  // namespace hm::json
