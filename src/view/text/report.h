// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/hotspots/hotspots.h"
#include "view/text/table.h"

namespace hm::text {

// Returns the event of a table of one event and what it counts, as a line; empty for tables of several
// events, which have the names as headings.
[[nodiscard]] std::string hotspots_title(const hotspots::Hotspots& result);
// Returns one table, hottest rows first; callers are indented below their row.
[[nodiscard]] std::string hotspots_table(const hotspots::Hotspots& result, const Style& style);

}  // namespace hm::text
