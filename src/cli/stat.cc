// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "app/measure/layout_runs.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "view/json/counting_json.h"
#include "view/text/counting_text.h"

namespace hm::cli {
namespace {

constexpr std::string_view kUsualCountedEvents =
    "instr_retired,l1_cache_miss,l2_cache_miss,l3_cache_miss,dtlb_load_miss";

struct StatFlags {
  ProgramFlags program;
  std::string output;  // empty: standard error
  uint64_t layouts = 1;
  bool json = false;
};

// The width of the terminal that deliver() writes to; none for a file or a pipe.
text::Style style_of_output(const StatFlags& flags) {
  text::Style style;
  int descriptor = flags.output == "-" ? STDOUT_FILENO : STDERR_FILENO;
  bool to_terminal = (flags.output.empty() || flags.output == "-") && ::isatty(descriptor) != 0;
  if (to_terminal) style.width = terminal_size(descriptor).columns;
  return style;
}

Status deliver(const StatFlags& flags, const totals::Counting& counting) {
  std::string text =
      flags.json ? json::counting_json(counting) : text::counting_report(counting, style_of_output(flags));
  if (flags.output == "-") return write_output(text);
  if (!flags.output.empty()) return write_file(flags.output, text);
  write_message(flags.json ? text : '\n' + text);
  return {};
}

std::string interruption(const StatFlags& flags, const totals::Counting& counting) {
  if (counting.layouts == 1) return "interrupted; the counts end at the interruption";
  return fmt::format("interrupted; {} of {} layouts were measured", counting.layouts, flags.layouts);
}

Result<int> count_and_report(const StatFlags& flags) {
  if (wants_cpu_list(flags.program)) return print(cpu_list());
  Result<measure::MeasureOptions> options = read_program_options(flags.program);
  if (!options) return options.error();
  Result<measure::Counted> counted =
      measure::count_in_layouts(*options, flags.layouts, interruptible_observer());
  if (!counted) return counted.error();
  if (const auto& refusal = counted->refusal) return fail(refusal->reason, refusal->exit_status);
  if (Status delivered = deliver(flags, counted->counting); !delivered) return delivered.error();
  if (counted->outcome.interrupted) (void)fail(interruption(flags, counted->counting), 0);
  for (const std::string& obstacle : counted->obstacles) (void)fail(obstacle, 0);
  return status_after(counted->outcome.interrupted, counted->counting.exit_status);
}

}  // namespace

Run add_stat(CommandLine& line) {
  auto flags = std::make_shared<StatFlags>();
  flags->program.usual_events = kUsualCountedEvents;
  add_program_options(line, flags->program);
  line.add_option("-o,--output", flags->output,
                  "write the counts to this file instead of standard error; - is standard output")
      .type("FILE");
  line.add_option(
          "--layouts", flags->layouts,
          "run the program in this many memory layouts, from that of --layout on, and print medians and ranges; a difference within the range may be an effect of the layout")
      .type("K")
      .positive()
      .group(kReproducibleGroup);
  line.add_flag("--json", flags->json, "print JSON");
  return [flags] { return count_and_report(*flags); };
}

}  // namespace hm::cli
