// SPDX-License-Identifier: MIT
// Counts of the same program in several memory layouts (C. Curtsinger and E. Berger, Stabilizer, ASPLOS
// 2013).
#pragma once

#include <vector>

#include "analysis/totals/counting.h"

namespace hm::totals {

// Returns the median of each count, with its range, and the runs' time together. `runs` must not be empty,
// and all runs must have the same events. The exit status is the first that is not 0.
[[nodiscard]] Counting over_layouts(std::vector<Counting> runs);

}  // namespace hm::totals
