// SPDX-License-Identifier: MIT
#include "cli/comparison.h"

#include <algorithm>

#include "app/query/comparison_query.h"
#include "cli/output.h"
#include "view/ci/formats.h"
#include "view/json/diff_json.h"

namespace hm::cli {
namespace {

std::string formatted(const diff::Diff& result, const text::DiffView& view, const std::string& format,
                      bool full_names) {
  if (format == "json") return json::diff_json(result);
  auto found = std::ranges::find(ci::all_formats(), format, &ci::Format::name);
  if (found != ci::all_formats().end()) {
    const diff::NamedDiff only{"", result, ""};
    return found->write({&only, 1});
  }
  return text::diff_report(result, view, output_style(full_names));
}

}  // namespace

void add_comparison_format(CommandLine& line, std::string& format) {
  std::vector<std::string> names{"text", "json"};
  for (const ci::Format& each : ci::all_formats()) names.emplace_back(each.name);
  line.add_option(
          "--format", format,
          "text; json; markdown: a table for a pull request; github: annotations by workflow commands; junit: a test case for each limit; sarif; bencher: Bencher Metric Format; benchmark-action: for github-action-benchmark")
      .one_of(names)
      .show_default();
}

void add_limit_option(CommandLine& line, std::vector<std::string>& specs) {
  line.add_option(
          "--fail-above", specs,
          "exit with 3 if an event grew by more: EVENT:2%, EVENT:+5000, EVENT@FUNCTION:10%, EVENT/kinst:+0.5 (per 1000 instructions); may be given several times")
      .type("SPEC")
      .one_at_a_time();
}

Result<int> print_comparison(const diff::Diff& result, const text::DiffView& view, const std::string& format,
                             bool full_names) {
  constexpr int kLimitExceeded = 3;
  Result<int> printed = print(formatted(result, view, format, full_names));
  if (!printed) return printed;
  write_sentences(text::limit_messages(result));
  return query::exceeds_a_limit(result) ? kLimitExceeded : 0;
}

}  // namespace hm::cli
