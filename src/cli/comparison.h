// SPDX-License-Identifier: MIT
// Comparing recordings, as a user sees it: what `diff` and `run --baseline` share.
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/diff.h"
#include "cli/command_line.h"
#include "view/text/diff.h"

namespace hm::cli {

// --fail-above, which may be given several times.
void add_limit_option(CommandLine& line, std::vector<std::string>& specs);

// The table on standard output, what is wrong with limits on standard error. Gives the exit status: 3 where a
// limit is exceeded.
[[nodiscard]] Result<int> print_comparison(const diff::Diff& result, const text::DiffView& view, bool json);

}  // namespace hm::cli
