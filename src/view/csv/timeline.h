// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/timeline/timeline.h"

namespace hm::csv {

// A line for each bin of a CPU, thread or process and each function that ran in it: begin_ns (since the first
// sample), lane, function, ns; the functions that are not told of as "others". Of modelled cycles the columns
// are begin_cycles and cycles.
[[nodiscard]] std::string timeline_lines(const timeline::Timeline& timeline);

}  // namespace hm::csv
