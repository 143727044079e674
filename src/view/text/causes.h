// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/cause/cause.h"
#include "analysis/cause/worst_places.h"
#include "view/text/table.h"

namespace hm::text {

// A paragraph for each place, the hottest first; one after the other for each event.
[[nodiscard]] std::string causes(const cause::Causes& result, const Style& style);

// The same of the places of all events that cost most. Empty where there are none.
[[nodiscard]] std::string worst_places(const std::vector<cause::WorstPlace>& places, const Style& style);

// A paragraph for each line that would change hands. Empty where there are none.
[[nodiscard]] std::string contested_lines(const cause::ContestedLines& found, const Style& style);

}  // namespace hm::text
