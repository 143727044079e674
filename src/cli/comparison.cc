// SPDX-License-Identifier: MIT
#include "cli/comparison.h"

#include "app/query/comparison.h"
#include "cli/output.h"
#include "view/json/diff.h"

namespace hm::cli {

void add_limit_option(CommandLine& line, std::vector<std::string>& specs) {
  line.add_option(
          "--fail-above", specs,
          "exit with 3 if an event grew by more: EVENT:2%, EVENT:+5000, EVENT@FUNCTION:10%, EVENT/kinst:+0.5 (per 1000 instructions); may be given several times")
      .type("SPEC")
      .one_at_a_time();
}

Result<int> print_comparison(const diff::Diff& result, const text::DiffView& view, bool json,
                             bool full_names) {
  constexpr int kLimitExceeded = 3;
  Result<int> printed =
      print(json ? json::diff_json(result) : text::diff_report(result, view, output_style(full_names)));
  if (!printed) return printed;
  write_message(text::limit_messages(result));
  return query::exceeds_a_limit(result) ? kLimitExceeded : 0;
}

}  // namespace hm::cli
