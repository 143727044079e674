// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "host/memory_costs.h"

namespace hm::json {

// Levels, both curves, and disturbances of the measurement. Latencies are in nanoseconds, null if not
// measured.
[[nodiscard]] std::string latency_json(const host::MemoryCosts& costs);

}  // namespace hm::json
