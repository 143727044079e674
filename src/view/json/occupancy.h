// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/occupancy/snapshot.h"

namespace hm::json {

// One line: snapshots follow each other.
[[nodiscard]] std::string occupancy_json(const occupancy::Snapshot& snapshot);

}  // namespace hm::json
