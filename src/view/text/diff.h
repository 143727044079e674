// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "analysis/diff/diff.h"
#include "view/text/table.h"

namespace hm::text {

struct DiffView {
  bool all = false;   // rows whose change is not significant, too
  size_t limit = 10;  // rows for each event; 0: all
};

// What was compared and what is different about it, then the totals, then each event's rows, then the limits.
[[nodiscard]] std::string diff_report(const diff::Diff& result, const DiffView& view, const Style& style);

// A line for each limit that is exceeded, cannot be told or is on a function that is gone; before them a line
// that says how the processors differ, if they do. Empty where there is no such limit.
[[nodiscard]] std::string limit_messages(const diff::Diff& result);

}  // namespace hm::text
