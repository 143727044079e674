// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "host/memory_costs.h"

namespace hm::json {

// Levels, both curves, and what disturbed them; latencies in nanoseconds, null for what was not measured.
[[nodiscard]] std::string latency_json(const host::MemoryCosts& costs);

}  // namespace hm::json
