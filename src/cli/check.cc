// SPDX-License-Identifier: MIT
#include "analysis/check/check.h"

#include <memory>

#include "app/input.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "view/json/check.h"
#include "view/text/check.h"

namespace hm::cli {
namespace {

struct CheckOptions {
  std::string input = "perf.data";
  bool json = false;
};

Result<int> run_check(const CheckOptions& chosen) {
  Result<app::Input> input = app::Input::open(chosen.input);
  if (!input) return input.error();
  record::Reader& reader = input->reader();
  analysis::CheckResult result = analysis::check(reader);
  result.problems.insert(result.problems.end(), input->problems().begin(), input->problems().end());
  std::string out = chosen.json ? json::check_json(result, reader.events())
                                : text::check_report(result, reader.events(), output_style());
  if (Status written = write_output(out); !written.ok()) return written.error();
  return result.problems.empty() ? 0 : 1;
}

}  // namespace

Run add_check(CommandLine& line) {
  auto options = std::make_shared<CheckOptions>();
  add_input_option(line, options->input);
  add_format_options(line, options->json);
  return [options] { return run_check(*options); };
}

}  // namespace hm::cli
