// SPDX-License-Identifier: MIT
#include "app/query/check_query.h"

#include <memory>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "view/json/check_json.h"
#include "view/text/check_text.h"

namespace hm::cli {
namespace {

struct CheckFlags {
  std::string input = "perf.data";
  bool json = false;
};

Result<int> print_check(const CheckFlags& flags) {
  Result<query::Checked> checked = query::check(flags.input);
  if (!checked) return checked.error();
  return print(flags.json ? json::check_json(checked->result, checked->events)
                          : text::check_report(checked->result, checked->events, output_style()),
               checked->result.problems.empty() ? 0 : 1);
}

}  // namespace

Run add_check(CommandLine& line) {
  auto flags = std::make_shared<CheckFlags>();
  add_input_option(line, flags->input);
  add_format_options(line, flags->json);
  return [flags] { return print_check(*flags); };
}

}  // namespace hm::cli
