// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "machine/memory_costs.h"

namespace hm::json {

// Levels, both curves, and what disturbed them; latencies in nanoseconds, null for what was not measured.
[[nodiscard]] std::string latency_json(const machine::MemoryCosts& costs);

}  // namespace hm::json
