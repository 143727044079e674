// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/timeline/timeline_window.h"

namespace hm::csv {

// Returns a line for each bin of a CPU, thread or process and each function that ran in the bin: begin_ns
// (since the first sample), lane, function, ns. Functions without a column are summed as "others". If the
// times are modelled cycles, the columns are begin_cycles and cycles.
[[nodiscard]] std::string timeline_lines(const timeline::Timeline& timeline);

}  // namespace hm::csv
