// SPDX-License-Identifier: MIT
// The formats in which CI services take a comparison.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/diff/profile_diff.h"

namespace hm::ci {

// Comparisons of several commands with their names; `hardmeter diff` has one without a name.
using Results = std::span<const diff::NamedDiff>;

struct Format {
  std::string_view name;
  std::string (*write)(Results results);
};

[[nodiscard]] std::span<const Format> all_formats();

// Markdown of GitHub, GitLab and others, for the comment on a pull request: the limits, a table of the
// totals, and folded tables of the rows that changed significantly. For commands with names: one table of the
// limits and totals of all commands.
[[nodiscard]] std::string markdown(Results results);

// Workflow commands of GitHub Actions, which become annotations: a line for each violated or undecided limit
// and for each command that could not be compared (docs.github.com, "Workflow commands for GitHub Actions").
[[nodiscard]] std::string workflow_commands(Results results);

// JUnit XML with a test case for each limit. A violated limit is a failure, an undecided one is skipped. A
// command that could not be compared is a test case with an error.
[[nodiscard]] std::string junit(Results results);

// SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0) with a result for each violated limit and each
// command that could not be compared. The function is
// a logical location, because a comparison does not know source files by their paths.
[[nodiscard]] std::string sarif(Results results);

// Bencher Metric Format (bencher.dev/docs/reference/bencher-metric-format): the totals after the change, as
// measures of the command.
[[nodiscard]] std::string bencher(Results results);

// The array that github-action-benchmark reads with tool: customSmallerIsBetter: the totals after the change.
[[nodiscard]] std::string benchmark_action(Results results);

}  // namespace hm::ci
