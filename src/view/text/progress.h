// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "pmu/progress.h"

namespace hm::text {

// How a measurement goes, for one line: the most important first, as what does not fit is left out from the
// end.
[[nodiscard]] std::vector<std::string> progress_fields(const pmu::Progress& progress);

}  // namespace hm::text
