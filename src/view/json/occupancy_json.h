// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/occupancy/snapshot.h"

namespace hm::json {

// Returns the snapshot as one line, so that snapshots can follow each other.
[[nodiscard]] std::string occupancy_json(const occupancy::Snapshot& snapshot);

}  // namespace hm::json
