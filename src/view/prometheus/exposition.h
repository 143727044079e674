// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "analysis/occupancy/snapshot.h"

namespace hm::prometheus {

// In Prometheus' text format, version 0.0.4. What was not measured has no sample. `refreshes`: how many
// snapshots there have been with this one.
[[nodiscard]] std::string exposition(const occupancy::Snapshot& snapshot, uint64_t refreshes);

// Before the first.
[[nodiscard]] std::string exposition_of_nothing();

}  // namespace hm::prometheus
