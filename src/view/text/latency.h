// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "host/memory_costs.h"
#include "view/text/table.h"

namespace hm::text {

// A table of the levels, the curves as a plot, and what is to be known of the measurement.
[[nodiscard]] std::string latency_report(const host::MemoryCosts& costs, const Style& style);

}  // namespace hm::text
