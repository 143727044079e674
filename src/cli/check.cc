// SPDX-License-Identifier: MIT
#include "app/query/check.h"

#include <memory>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "view/json/check.h"
#include "view/text/check.h"

namespace hm::cli {
namespace {

struct CheckWords {
  std::string input = "perf.data";
  bool json = false;
};

Result<int> print_check(const CheckWords& words) {
  Result<query::Checked> checked = query::check(words.input);
  if (!checked) return checked.error();
  return print(words.json ? json::check_json(checked->result, checked->events)
                          : text::check_report(checked->result, checked->events, output_style()),
               checked->result.problems.empty() ? 0 : 1);
}

}  // namespace

Run add_check(CommandLine& line) {
  auto words = std::make_shared<CheckWords>();
  add_input_option(line, words->input);
  add_format_options(line, words->json);
  return [words] { return print_check(*words); };
}

}  // namespace hm::cli
