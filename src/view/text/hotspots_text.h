// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/hotspots/hotspots.h"
#include "view/text/table.h"

namespace hm::text {

// Returns the table's events and what it counts, as a line: the event's description if it is of one event.
[[nodiscard]] std::string hotspots_title(const hotspots::Hotspots& result);
// Returns the title of a table of the functions that a language runtime interpreted or compiled.
[[nodiscard]] std::string scripts_title(const hotspots::Hotspots& result);
// Returns one table, hottest rows first; callers are indented below their row.
[[nodiscard]] std::string hotspots_table(const hotspots::Hotspots& result, const Style& style);

}  // namespace hm::text
