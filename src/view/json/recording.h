// SPDX-License-Identifier: MIT
#pragma once

#include "profile/profile.h"
#include "view/json/values.h"

namespace hm::json {

// {"pmu", "command", "caches": [{"level", "type" ("Data", "Instruction", "Unified"), "bytes", "sets", "ways",
// "line_bytes", "cpus" (that share it: "0-3")}...] (of the machine, or the modelled one), "cpu_time"
// (record/cpu_use.h; null if not recorded), "stopped", "part" (record/run_part.h; null if the recording has
// the whole run), "lost": {"records", "samples"}, "clock", "problems", "notes"}: the member "recording" of
// every result. "pmu" is what the recording says, null where it says nothing; "command" is a list of words;
// "clock": {EVENT: {"samples", "attributed", "accesses", "addresses", "stayed": {REASON: N}}} for what
// profile/clock_attribution.h did, REASON as in symbol/code/waiting.h.
[[nodiscard]] Json recording_json(const profile::Profile& profile);

}  // namespace hm::json
