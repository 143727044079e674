// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/timeline/timeline.h"
#include "view/text/table.h"

namespace hm::text {

// A row of cells for each CPU, thread or process: the letter of the function that ran the longest there, '.'
// for those without a letter, a blank where nothing ran. Behind it the moments, if there are any.
[[nodiscard]] std::string timeline_view(const timeline::Timeline& timeline, const Style& style);

// How many cells fit beside the names.
[[nodiscard]] size_t timeline_columns(const Style& style);

}  // namespace hm::text
