// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "analysis/diff/diff.h"
#include "view/text/table.h"

namespace hm::text {

struct DiffView {
  bool all = false;   // also show rows without a significant change
  size_t limit = 10;  // rows for each event; 0: all
};

// Returns the compared recordings and their differences, then the totals, each event's rows, and the limits.
[[nodiscard]] std::string diff_report(const diff::Diff& result, const DiffView& view, const Style& style);

// Returns a line for each limit that is exceeded, cannot be checked, or names a function that no longer
// exists. The first line describes how the processors differ, if they do. Empty if all limits are within
// bounds.
[[nodiscard]] std::string limit_messages(const diff::Diff& result);

}  // namespace hm::text
