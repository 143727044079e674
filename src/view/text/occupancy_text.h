// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/occupancy/snapshot.h"
#include "view/text/table.h"

namespace hm::text {

// Returns a heading and a line for each row.
[[nodiscard]] std::string occupancy_table(const occupancy::Snapshot& snapshot, const Style& style);

}  // namespace hm::text
