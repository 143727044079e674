// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/cause/cause.h"
#include "analysis/cause/worst_places.h"
#include "view/text/table.h"

namespace hm::text {

// Returns a paragraph for each location, hottest first, one event after the other.
[[nodiscard]] std::string causes(const cause::Causes& result, const Style& style);

// Returns paragraphs for the most expensive locations of all events. Empty if there are none.
[[nodiscard]] std::string worst_places(const std::vector<cause::WorstPlace>& places, const Style& style);

// Returns a paragraph for each contested cache line. Empty if there are none.
[[nodiscard]] std::string contested_lines(const cause::ContestedLines& found, const Style& style);

}  // namespace hm::text
