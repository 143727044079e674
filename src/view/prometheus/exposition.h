// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "analysis/occupancy/snapshot.h"

namespace hm::prometheus {

// Returns the snapshot in Prometheus' text format, version 0.0.4. Values that were not measured are omitted.
// `refreshes` is the number of snapshots so far, including this one.
[[nodiscard]] std::string exposition(const occupancy::Snapshot& snapshot, uint64_t refreshes);

// Returns the page before the first snapshot.
[[nodiscard]] std::string exposition_of_nothing();

}  // namespace hm::prometheus
