// SPDX-License-Identifier: MIT
// Comparing recordings, as a user sees it: what `diff` and `run --baseline` share.
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/diff.h"
#include "app/diff_input.h"
#include "cli/command_line.h"
#include "view/text/diff.h"

namespace hm::cli {

inline constexpr int kLimitExceeded = 3;  // exit status

// --fail-above, which may be given several times.
void add_limit_option(CommandLine& line, std::vector<std::string>& specs);

// kInvalidArgument for the first that cannot be read.
[[nodiscard]] Result<std::vector<diff::Limit>> parse_limits(const std::vector<std::string>& specs);

// A recording or a baseline; - is a recording from standard input.
[[nodiscard]] Result<diff::Recording> load_diff_input(const std::string& path,
                                                      const std::vector<hotspots::SortKey>& keys,
                                                      bool raw_ip);

// The table on standard output, what is wrong with limits on standard error. Gives the exit status.
[[nodiscard]] Result<int> print_comparison(const diff::Diff& result, const text::DiffView& view, bool json);

}  // namespace hm::cli
