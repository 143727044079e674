// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/check/recording_check.h"

namespace hm::json {

// {"schema": 1, "sane": bool, "records": {KIND: count}, "samples", "events": [{"name", "samples"}...],
// "period_sum", "addresses", ... (all of analysis::sum_names(); null if not recorded), "lost", "problems":
// [...], "notes": [...]}
[[nodiscard]] std::string check_json(const analysis::CheckResult& result,
                                     const std::vector<record::EventDescription>& events);

}  // namespace hm::json
