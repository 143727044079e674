// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/corun/corun.h"

namespace hm::csv {

// A line for each program beside each other: program, beside, alone, extra, low, high: misses of 1000
// accesses. `names`: of the programs.
[[nodiscard]] std::string corun_lines(const corun::Corun& corun, const std::vector<std::string>& names);

}  // namespace hm::csv
