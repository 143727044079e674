// SPDX-License-Identifier: MIT
// The formats in which CI services take a comparison.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/diff/diff.h"

namespace hm::ci {

struct Format {
  std::string_view name;
  std::string (*write)(const diff::Diff& result);
};

[[nodiscard]] std::span<const Format> all_formats();

// Markdown of GitHub, GitLab and others, for the comment on a pull request: the limits, a table of the
// totals, and a folded table of the rows that changed significantly.
[[nodiscard]] std::string markdown(const diff::Diff& result);

// Workflow commands of GitHub Actions, which become annotations: a line for each violated or undecided limit
// (docs.github.com, "Workflow commands for GitHub Actions").
[[nodiscard]] std::string workflow_commands(const diff::Diff& result);

// JUnit XML with a test case for each limit. A violated limit is a failure, an undecided one is skipped.
[[nodiscard]] std::string junit(const diff::Diff& result);

// SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0) with a result for each violated limit. The function is
// a logical location, because a comparison does not know source files by their paths.
[[nodiscard]] std::string sarif(const diff::Diff& result);

// Bencher Metric Format (bencher.dev/docs/reference/bencher-metric-format): the totals after the change, as
// measures of the command.
[[nodiscard]] std::string bencher(const diff::Diff& result);

// The array that github-action-benchmark reads with tool: customSmallerIsBetter: the totals after the change.
[[nodiscard]] std::string benchmark_action(const diff::Diff& result);

}  // namespace hm::ci
