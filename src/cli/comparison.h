// SPDX-License-Identifier: MIT
// Comparison of recordings, shared by `diff` and `run --baseline`.
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/profile_diff.h"
#include "cli/command_line.h"
#include "view/text/diff_text.h"

namespace hm::cli {

// Adds --fail-above, which may be repeated.
void add_limit_option(CommandLine& line, std::vector<std::string>& specs);

// Prints the table to standard output, and violated limits to standard error. Returns the exit status, 3 if a
// limit is exceeded.
// `format` is text, json, or a format of ci::all_formats().
[[nodiscard]] Result<int> print_comparison(const diff::Diff& result, const text::DiffView& view,
                                           const std::string& format = "text", bool full_names = false);

// Adds --format.
void add_comparison_format(CommandLine& line, std::string& format);

}  // namespace hm::cli
