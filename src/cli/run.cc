// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <optional>

#include "app/answer/answer.h"
#include "app/query/comparison_query.h"
#include "app/query/overview.h"
#include "cli/commands.h"
#include "cli/comparison.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/recording_options.h"
#include "symbol/file_resolver.h"

namespace hm::cli {
namespace {

struct RunFlags {
  RecordingFlags recording;
  std::string baseline;  // empty: no comparison
  std::vector<std::string> limits;
  bool full_names = false;
  bool with_clock = false;
};

std::string clock_file(const RunFlags& flags) {
  return flags.with_clock ? flags.recording.output + ".clock" : std::string();
}

// Returns nullopt if there is no baseline.
Result<std::optional<query::Gate>> read_gate(const RunFlags& flags) {
  if (flags.baseline.empty() && !flags.limits.empty()) {
    return make_error(ErrorCode::kInvalidArgument, "--fail-above needs --baseline FILE");
  }
  if (flags.baseline.empty()) return std::optional<query::Gate>();
  Result<query::Gate> gate = query::read_gate({flags.baseline}, flags.limits);
  if (!gate) return gate.error();
  return std::optional(*std::move(gate));
}

Result<int> pass_gate(const query::Gate& gate, const profile::Profile& profile,
                      const symbol::Resolver& resolver, const std::string& path) {
  Result<diff::Recording> after = query::reduced(gate, profile, resolver, path);
  if (!after) return after.error();
  Result<diff::Diff> result = query::compare(gate, {*std::move(after)});
  if (!result) return result.error();
  if (Status written = write_output("\n"); !written) return written.error();
  return print_comparison(*result, {});
}

// Records the time of a native run, in user mode, as the model sees only that.
Result<Recorded> record_clock(const RunFlags& flags) {
  constexpr std::string_view kEvent = "clock", kSource = "linux";
  const ProgramFlags& program = flags.recording.program;
  RecordingFlags clock;
  clock.program.line = program.line;
  clock.program.variables = program.variables;
  clock.program.target = program.target;
  clock.program.target.user = true;
  clock.program.target.budget.clear();  // there is no engine that could slow the processes down
  clock.program.events = {std::string(kEvent)};
  clock.program.pmu = kSource;
  clock.sampling.period = "250us";  // short programs have enough samples, and long ones hardly take longer
  clock.output = clock_file(flags);
  clock.quiet = flags.recording.quiet;
  clock.progress_hint = "native run, by the clock";
  return make_recording(clock);
}

// A program that reads a file from standard input reads it from the same place in each run. A pipe can be
// read only once.
class StandardInputPlace {
 public:
  StandardInputPlace() : place_(::lseek(STDIN_FILENO, 0, SEEK_CUR)) {
    struct stat input {};
    if (::fstat(STDIN_FILENO, &input) == 0 && (S_ISFIFO(input.st_mode) || S_ISSOCK(input.st_mode)))
      write_sentences(
          "hardmeter: standard input is a pipe: what the native run reads of it, the second run does not get\n");
  }
  void restore() const {
    if (place_ >= 0) (void)::lseek(STDIN_FILENO, place_, SEEK_SET);
  }

 private:
  off_t place_;
};

// Records the clock if that is requested, and then what `run` always records. Without both recordings,
// returns one that was not written.
Result<Recorded> record_all(const RunFlags& flags, const RecordingFlags& recording) {
  if (flags.with_clock && !wants_cpu_list(recording.program)) {
    if (Result<measure::MeasureOptions> valid = read_program_options(recording.program); !valid)
      return valid.error();  // before the first run
    StandardInputPlace input;
    Result<Recorded> clock = record_clock(flags);
    if (!clock) return clock.error();
    if (interrupts() != 0) return Recorded{clock->status, false};
    if (!clock->written) return *clock;
    input.restore();
  }
  return make_recording(recording);
}

Result<int> run_and_report(const RunFlags& flags) {
  const std::string& path = flags.recording.output;
  if (path == "-")
    return make_error(ErrorCode::kInvalidArgument, "run reads its recording again, so -o must name a file");
  Result<std::optional<query::Gate>> gate = read_gate(flags);
  if (!gate) return gate.error();
  RecordingFlags recording = flags.recording;
  if (*gate && recording.program.detail.empty()) recording.program.detail = "exact";  // a gate needs counts
  Result<Recorded> recorded = record_all(flags, recording);
  if (!recorded) return recorded.error();
  if (!recorded->written) return recorded->status;
  query::OverviewOptions options;
  options.input = path;
  options.clock = clock_file(flags);
  const symbol::FileResolver resolver;
  Result<query::Overview> overview = query::overview(options, resolver);
  if (!overview) return overview.error();
  Result<int> printed =
      print(answer::overview_text(*overview, path, output_style(flags.full_names)), recorded->status);
  if (!printed || !*gate) return printed;
  if (recorded->status != 0) {
    return fail(fmt::format("the program's exit status is {}: no comparison with {}", recorded->status,
                            flags.baseline),
                recorded->status);
  }
  return pass_gate(**gate, overview->profile, resolver, path);
}

}  // namespace

Run add_run(CommandLine& line) {
  auto flags = std::make_shared<RunFlags>();
  flags->recording.program.answers_first = true;
  flags->recording.sampling.software_call_chains = true;
  flags->recording.progress_hint = "Ctrl-C shows the result so far";
  add_making_options(line, flags->recording);
  line.add_option("--baseline", flags->baseline,
                  "compare with this baseline after the run (see hardmeter diff --save-baseline)")
      .type("FILE");
  add_limit_option(line, flags->limits);
  line.add_flag(
      "--with-clock", flags->with_clock,
      "run the program natively first, and compare the time of its functions by the clock with their modelled waits; the clock's recording is FILE.clock. The program runs twice");
  add_names_option(line, flags->full_names);
  return [flags] { return run_and_report(*flags); };
}

}  // namespace hm::cli
