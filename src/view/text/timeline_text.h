// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/timeline/episodes.h"
#include "analysis/timeline/timeline_window.h"
#include "view/text/table.h"

namespace hm::text {

// Returns the episodes and a row of cells for each CPU, thread or process. A cell shows the letter of the
// function that ran longest in it, '.' if only functions without a letter ran, or a blank if nothing ran. The
// moments follow, if there are any.
[[nodiscard]] std::string timeline_view(const timeline::Timeline& timeline,
                                        const std::vector<timeline::Episode>& episodes, const Style& style);

// Returns lines about the recording and the accuracy of its times.
[[nodiscard]] std::string timeline_head(const timeline::Timeline& line);

// Returns the number of cells that fit beside the names.
[[nodiscard]] size_t timeline_columns(const Style& style);

}  // namespace hm::text
