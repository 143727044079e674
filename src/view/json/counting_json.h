// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/totals/counting.h"
#include "view/json/values.h"

namespace hm::json {

// {"schema": 1, "pmu", "machine", "command": [...], "exit_status", "elapsed_ns", "cpu_time"
// (record/cpu_use.h; null if not known), "processes", "threads", "unrecorded_processes", "totals": {NAME:
// integer}, "per_thousand_instructions": {NAME: number}, "per_second": {NAME: number}, "cycles",
// "instructions_per_cycle", "cost_model", "verdict" (verdict_json.h)}. Events that were not counted are
// omitted.
[[nodiscard]] std::string counting_json(const totals::Counting& counting);

}  // namespace hm::json
