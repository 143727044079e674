// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/hotspots/hotspots.h"
#include "view/text/table.h"

namespace hm::text {

// Returns one table, hottest rows first; callers are indented below their row.
[[nodiscard]] std::string hotspots_table(const hotspots::Hotspots& result, const Style& style);

}  // namespace hm::text
