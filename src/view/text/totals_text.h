// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "analysis/totals/totals.h"
#include "view/text/table.h"

namespace hm::text {

// Scales up a counter that ran only part of the time, and marks it as scaled. Returns "-" if not measured.
[[nodiscard]] std::string exact_text(const std::optional<totals::Exact>& exact);
[[nodiscard]] std::string rate_text(const std::optional<double>& rate);

// Returns a line "# event NAME: ..." for each event, for the head of other reports.
[[nodiscard]] std::string event_lines(const totals::Totals& totals);

// Returns a table of the events, and one of the threads if there are several.
[[nodiscard]] std::string totals_report(const totals::Totals& totals, const Style& style);

}  // namespace hm::text
