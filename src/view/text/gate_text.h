// SPDX-License-Identifier: MIT
// The results of `hardmeter ci`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/diff/profile_diff.h"
#include "view/text/table.h"

namespace hm::text {

// One limit, or one event without a limit, of one command.
struct GateRow {
  std::string name;   // of the command
  std::string event;  // "l1_cache_miss", "l1_cache_miss@add_up"; empty if the command could not be compared
  std::string before, after, change;
  std::string relative;  // "+20.0%"
  std::string verdict;   // "kept (5%)", "exceeded (5%)", "no limit", "failed", ...
};

// Returns the limits of each command in their order, and then its totals without a limit.
[[nodiscard]] std::vector<GateRow> gate_rows(std::span<const diff::NamedDiff> results);

// Returns sentences: how the measurement of the baseline differed, and which function's events grew most if a
// limit on the event is violated.
[[nodiscard]] std::vector<std::string> gate_notes(const diff::NamedDiff& result);

// Returns a table of gate_rows(), with gate_notes() below it.
[[nodiscard]] std::string gate_report(std::span<const diff::NamedDiff> results, const Style& style);

}  // namespace hm::text
