// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "analysis/diff/profile_diff.h"
#include "view/text/table.h"

namespace hm::text {

struct DiffView {
  bool all = false;   // also show rows without a significant change
  size_t limit = 10;  // rows for each event; 0: all
};

// Returns the compared recordings and their differences, then the totals, each event's rows, and the limits.
[[nodiscard]] std::string diff_report(const diff::Diff& result, const DiffView& view, const Style& style);

// The table cells of one total or row, for other formats.
struct ChangeCells {
  std::string before, after, change;
  std::string relative;  // "+20.0%"; "-" if unknown
  std::string interval;  // 95 % interval; "exact" or "unknown"
};
[[nodiscard]] ChangeCells cells_of(const diff::Total& total);
[[nodiscard]] ChangeCells cells_of(const diff::Row& row);
[[nodiscard]] ChangeCells cells_of(const diff::Check& check);

// Returns for example "kept: 10,000 before, 12,000 after, +2,000 (+20.00%)".
[[nodiscard]] std::string check_sentence(const diff::Check& check);

// Returns a line for each limit that is exceeded, cannot be checked, or names a function that no longer
// exists. The first line describes how the processors differ, if they do. Empty if all limits are within
// bounds. `name` is the command's name, if there are several.
[[nodiscard]] std::string limit_messages(const diff::Diff& result, std::string_view name = {});

}  // namespace hm::text
