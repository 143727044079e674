// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/totals/counting.h"
#include "view/text/table.h"

namespace hm::text {

// Returns a row for each event that was counted, then the result of the cost model, and the time.
[[nodiscard]] std::string counting_report(const totals::Counting& counting, const Style& style);

}  // namespace hm::text
