// SPDX-License-Identifier: MIT
#include "app/measure/overhead_measurement.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "app/measure/sampling_arguments.h"
#include "app/measure/sources.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "cli/status_line.h"
#include "pmu/shell_status.h"
#include "view/json/overhead_json.h"
#include "view/text/overhead_text.h"

namespace hm::cli {
namespace {

struct OverheadFlags {
  const CommandLine* line = nullptr;
  unsigned rounds = 5;
  std::vector<std::string> intervals;  // empty: the defaults
  bool show_output = false;
  bool json = false;
};

std::string check_interval(std::string& word) {
  std::optional<measure::Period> period = measure::parse_period(word);
  return period && period->is_time ? "" : word + " is not a time such as 100us or 1ms";
}

std::string temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder == nullptr || *folder == '\0' ? "/tmp" : folder;
}

Result<std::vector<overhead::Series>> measure_rounds(const OverheadFlags& flags,
                                                     std::vector<std::string> command) {
  StatusLine line;
  measure::OverheadOptions options;
  options.command = std::move(command);
  options.rounds = flags.rounds;
  if (!flags.intervals.empty()) options.intervals = flags.intervals;
  options.silent = !flags.show_output;
  options.folder = temporary_folder();
  options.interrupts = interrupts;
  options.progress = [&](unsigned run, unsigned all, const std::string& name) {
    line.show({fmt::format("run {} of {}", run, all), name, "Ctrl-C ends and shows the results so far"});
  };
  return measure::measure_overhead(options);
}

Result<int> run_overhead(const OverheadFlags& flags) {
  std::vector<std::string> command = flags.line->rest();
  if (command.empty())
    return make_error(ErrorCode::kInvalidArgument, "no program is given (see hardmeter overhead --help)");
  if (auto refusal = measure::refuse_missing_program(command))
    return fail(refusal->reason, refusal->exit_status);
  count_interrupts();
  Result<std::vector<overhead::Series>> measured = measure_rounds(flags, std::move(command));
  if (!measured) return measured.error();
  std::vector<overhead::Cost> costs = overhead::find_costs(*measured);
  std::string out = flags.json ? json::overhead_json(costs) : text::overhead_report(costs, output_style());
  return print(out, interrupts() > 0 ? pmu::kInterruptedStatus : 0);
}

}  // namespace

Run add_overhead(CommandLine& line) {
  auto flags = std::make_shared<OverheadFlags>();
  flags->line = &line;
  line.take_program();
  line.set_footer("The program follows: hardmeter overhead [OPTIONS] [--] PROGRAM [ARGUMENTS...]");
  line.add_option("-n,--rounds", flags->rounds, "number of runs of each way to measure")
      .between(1, 1000)
      .show_default();
  line.add_option("--every", flags->intervals,
                  "period of the kernel's clock samples, such as 10us, which slows programs a lot")
      .separated_by(',')
      .one_at_a_time()
      .check(check_interval, "")
      .type("TIME,...")
      .show_default("1ms,100us");
  line.add_flag("--show-output", flags->show_output, "also show the program's output (default: discard it)");
  add_format_options(line, flags->json);
  return [flags] { return run_overhead(*flags); };
}

}  // namespace hm::cli
