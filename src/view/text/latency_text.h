// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "host/memory_costs.h"
#include "view/text/table.h"

namespace hm::text {

// Returns a table of the levels, a plot of the curves, and notes about the measurement.
[[nodiscard]] std::string latency_report(const host::MemoryCosts& costs, const Style& style);

}  // namespace hm::text
