// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/totals/totals.h"
#include "view/json/values.h"

namespace hm::json {

// {"schema": 1, "recording": {...}, "elapsed_ns", "events": {NAME: {COUNT, "per_thousand_instructions",
// "per_second"}}, "threads": [{"pid", "tid", "comm", "events": {NAME: {COUNT}}}...]}. COUNT is "samples",
// "estimated", "exact": {"value", "time_enabled_ns", "time_running_ns"}, "fewer_than", "best". Values that
// were not measured are null.
[[nodiscard]] std::string totals_json(const profile::Profile& profile, const totals::Totals& totals);

}  // namespace hm::json
