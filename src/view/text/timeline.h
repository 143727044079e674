// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/timeline/episodes.h"
#include "analysis/timeline/timeline.h"
#include "view/text/table.h"

namespace hm::text {

// The episodes, and a row of cells for each CPU, thread or process: of the functions with a letter that which
// ran the longest there, '.' where only others did, a blank where nothing ran. Behind it the moments, if
// there are any.
[[nodiscard]] std::string timeline_view(const timeline::Timeline& timeline,
                                        const std::vector<timeline::Episode>& episodes, const Style& style);

// Lines on what it is of, and how well its times are known.
[[nodiscard]] std::string timeline_head(const timeline::Timeline& line);

// How many cells fit beside the names.
[[nodiscard]] size_t timeline_columns(const Style& style);

}  // namespace hm::text
