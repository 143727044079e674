// SPDX-License-Identifier: MIT
#include <memory>

#include "analysis/totals/counting.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/linux_run.h"
#include "cli/output.h"
#include "cli/soft_run.h"
#include "view/json/counting.h"
#include "view/text/counting.h"

namespace hm::cli {
namespace {

constexpr std::string_view kUsualCountedEvents =
    "instr_retired,l1_cache_miss,l2_cache_miss,l3_cache_miss,dtlb_load_miss";

struct StatOptions {
  ProgramOptions program;
  std::string output;  // empty: standard error
  bool json = false;
};

Status deliver(const StatOptions& options, const totals::Counting& counting) {
  std::string text = options.json ? json::counting_json(counting) : text::counting_report(counting, {});
  if (options.output == "-") return write_output(text);
  if (!options.output.empty()) return write_file(options.output, text);
  write_message(options.json ? text : '\n' + text);
  return {};
}

Result<Counted> count_with(const Measurement& measurement, const ProgramOptions& options) {
  Result<app::PmuChoice> choice =
      app::choose_pmu(measurement.wish, measurement.events, measurement.only_a_command(), event::Use::kCount,
                      linux_pmu::this_kernel());
  if (!choice) return choice.error();
  return choice->soft ? count_soft(measurement, options) : count_linux(measurement, options);
}

Result<int> run_stat(const StatOptions& options) {
  if (wants_cpu_list(options.program)) {
    if (Status written = write_output(cpu_list()); !written) return written.error();
    return 0;
  }
  Result<Measurement> measurement = read_program_options(options.program);
  if (!measurement) return measurement.error();
  if (std::optional<int> status = refuse_missing_program(measurement->target.command)) return *status;
  count_interrupts();
  Result<Counted> counted = count_with(*measurement, options.program);
  if (!counted) return counted.error();
  if (!counted->not_started.empty()) return fail(counted->not_started, counted->counting.exit_status);
  if (Status delivered = deliver(options, counted->counting); !delivered) return delivered.error();
  if (counted->interrupted) (void)fail("interrupted; the counts end there", 0);
  for (const std::string& obstacle : counted->obstacles) (void)fail(obstacle, 0);
  return counted->counting.exit_status;
}

}  // namespace

Run add_stat(CommandLine& line) {
  auto options = std::make_shared<StatOptions>();
  options->program.usual_events = kUsualCountedEvents;
  add_program_options(line, options->program);
  line.add_option("-o,--output", options->output, "print there, not on standard error; - is standard output")
      .type("FILE");
  line.add_flag("--json", options->json, "print JSON");
  return [options] { return run_stat(*options); };
}

}  // namespace hm::cli
