// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/corun/corun_prediction.h"

namespace hm::csv {

// Returns two lines for each pair of programs, with the columns program, beside (the neighbour), alone,
// extra, low and high. The last four are misses per 1000 accesses. `names` holds the programs' names.
[[nodiscard]] std::string corun_lines(const corun::Corun& corun, const std::vector<std::string>& names);

}  // namespace hm::csv
