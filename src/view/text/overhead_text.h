// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/overhead/overhead_costs.h"
#include "view/text/table.h"

namespace hm::text {

// Returns a row for each way to run the program.
[[nodiscard]] std::string overhead_report(const std::vector<overhead::Cost>& costs, const Style& style);

}  // namespace hm::text
