// SPDX-License-Identifier: MIT
// Whether memory matters to a program, as JSON.
#pragma once

#include "analysis/totals/verdict.h"
#include "view/json/values.h"

namespace hm::json {

// {"memory_share", "error", "in_bursts", "cost_source", "unseen_kernel_share", "parts": {EVENT: SHARE, ...},
// "misses_per_thousand_instructions": {LEVEL: RATE, ...}, "instructions_per_cycle"}; null if waits were not
// measured. Shares are of the modelled cycles, from 0 to 1.
[[nodiscard]] Json verdict_json(const std::optional<totals::Verdict>& verdict);

}  // namespace hm::json
