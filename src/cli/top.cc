// SPDX-License-Identifier: MIT
#include <cstdint>
#include <memory>

#include "app/live/live_recording.h"
#include "app/measure/sampling_arguments.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/process_names.h"
#include "cli/program_options.h"
#include "cli/timeline_on_screen.h"
#include "cli/top_as_text.h"
#include "cli/top_on_screen.h"
#include "symbol/file_resolver.h"
#include "view/screen/terminal.h"

namespace hm::cli {
namespace {

constexpr std::string_view kUsualEvents = "l1_cache_miss,l2_cache_miss,dtlb_load_miss";
constexpr const char* kUsualBudget = "5%";

struct TopFlags {
  ProgramFlags program;
  measure::SamplingOptions sampling;
  double delay_s = 2;
  uint64_t max_views = 0;  // 0: until the processes or the user end it
};

Result<live::LiveOptions> live_options(TopFlags& flags) {
  ProgramFlags& program = flags.program;
  TargetFlags& target = program.target;
  bool runs_already = !target.pids.empty() || !target.tids.empty() || target.whole_system ||
                      !target.cpus.empty() || !target.cgroup.empty();
  if (!runs_already)
    return make_error(
        ErrorCode::kInvalidArgument,
        "top shows running processes and needs -p PID; hardmeter run starts and measures a program");
  bool are_processes = !target.pids.empty() || !target.cgroup.empty();
  if (target.budget.empty() && are_processes && program.pmu != "linux") target.budget = kUsualBudget;
  Result<measure::MeasureOptions> what = read_program_options(program);
  if (!what) return what.error();
  live::LiveOptions options;
  options.record.what = *std::move(what);
  options.record.sampling = flags.sampling;
  options.max_bytes = size_t{32} << 20;
  options.pause_for_each = 20;
  return options;
}

std::string title_of(const TargetFlags& target) {
  std::string names = target_names(target);
  return names.empty() ? "hardmeter top" : "hardmeter top  " + names;
}

// A terminal that cannot show a full screen (TERM=dumb) gets text, as a pipe does.
Result<std::string> show_views(const TopOptions& options, const symbol::Resolver& resolver) {
  if (!has_screen()) return top_as_text(options, resolver);
  {
    screen::Terminal terminal(output_style().color);
    if (terminal.works()) return top_on_screen(terminal, options, resolver);
  }
  return top_as_text(options, resolver);
}

Result<int> show_top(TopFlags flags) {
  if (wants_cpu_list(flags.program)) return print(cpu_list());
  Result<live::LiveOptions> live = live_options(flags);
  if (!live) return live.error();
  TopOptions options{*std::move(live), title_of(flags.program.target), flags.delay_s, flags.max_views};
  count_interrupts();
  // The terminal is restored before the last sentence is printed.
  Result<std::string> farewell = show_views(options, symbol::FileResolver());
  if (!farewell) return farewell.error();
  write_sentences(*farewell);
  return status_after(interrupts() != 0, 0);
}

}  // namespace

Run add_top(CommandLine& line) {
  auto flags = std::make_shared<TopFlags>();
  flags->program.usual_events = kUsualEvents;
  flags->program.answers_first = flags->program.adds_waits = true;
  add_own_program_options(line, flags->program);
  add_target_options(line, flags->program.target);
  line.add_option("-c,--count", flags->sampling.period,
                  "sampling period: a number of events, or for the clock a time, such as 100us")
      .check(measure::check_period, "")
      .type("PERIOD");
  line.add_option("-d,--delay", flags->delay_s, "seconds between two refreshes")
      .between(0.1, 3600.0)
      .show_default();
  line.add_option("-n,--iterations", flags->max_views,
                  "end after this many refreshes, even without new samples; 0 is never")
      .show_default();
  line.set_footer(
      "Shows running processes: hardmeter top -p PID. If hardware cannot measure the events, the software PMU does, within --budget (5% by default). ? lists the keys. Without a terminal, views are printed one after the other.");
  return [flags] { return show_top(*flags); };
}

}  // namespace hm::cli
