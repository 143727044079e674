// SPDX-License-Identifier: MIT
#include "cli/recording.h"

#include <fmt/format.h>

#include <fstream>
#include <memory>

#include "app/live/precise_recording.h"
#include "app/measure/forecast.h"
#include "app/measure/sampling_arguments.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/status_line.h"
#include "symbol/file_resolver.h"
#include "view/text/format.h"
#include "view/text/progress_text.h"

namespace hm::cli {
namespace {

constexpr std::string_view kUsualSampledEvents = "l1_cache_miss,l2_cache_miss,dtlb_load_miss";

std::vector<std::string> own_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

std::string place_text(const measure::Recorded& recorded, const std::string& output) {
  const std::vector<std::string>& kept = recorded.files.kept;
  if (kept.empty()) return output == "-" ? "standard output" : output;
  if (recorded.files.written == 1) return kept.front();
  std::string names = kept.size() == 1 ? kept.front() : fmt::format("{} to {}", kept.front(), kept.back());
  std::string some =
      kept.size() < recorded.files.written ? fmt::format(", of which the last {} are kept", kept.size()) : "";
  return fmt::format("{} files{}: {}", recorded.files.written, some, names);
}

std::string summary(const measure::Recorded& recorded, const std::string& output) {
  std::string out = fmt::format("[ hardmeter record: {}, {:.2f} MB written to {} ]\n",
                                text::count_of(recorded.progress.samples, "sample", "samples"),
                                static_cast<double>(recorded.bytes) / 1e6, place_text(recorded, output));
  if (recorded.stopped) out += fmt::format("[ recording: {} ]\n", *recorded.stopped);
  if (!recorded.reason.empty()) out += fmt::format("[ {}: {} ]\n", recorded.title, recorded.reason);
  if (std::string kernel = recorded.cpu ? record::unseen_kernel_text(*recorded.cpu) : ""; !kernel.empty())
    out += fmt::format("[ {} ]\n", kernel);
  for (const pmu::Remark& each : recorded.report.delivery)
    out += fmt::format("[ {}: {} ]\n", each.subject, each.text);
  if (recorded.outcome.interrupted)
    out += "hardmeter: interrupted; the recording contains everything measured until then\n";
  for (const std::string& each : recorded.report.shortfalls) out += fmt::format("hardmeter: {}\n", each);
  return out;
}

}  // namespace

void add_making_options(CommandLine& line, RecordingFlags& flags) {
  flags.program.usual_events = kUsualSampledEvents;
  flags.program.adds_waits = true;
  add_program_options(line, flags.program);
  add_sampling_options(line, flags.sampling);
  line.add_option("-o,--output", flags.output,
                  "the recording; an old file becomes FILE.old; - is standard output")
      .type("FILE")
      .show_default();
  line.add_option(
          "--until", flags.until,
          "measure running processes until the shares of each event's five hottest functions have 95 % intervals of at most this many percentage points, such as 1%")
      .check(measure::check_percent, "PERCENT");
  line.add_flag("-q,--quiet", flags.quiet, "print only errors");
  add_file_options(line, flags.file);
}

void add_recorded_or_run_options(CommandLine& line, std::string& input, RecordingFlags& flags) {
  add_own_program_options(line, flags.program);
  line.add_option("-i,--input", input, "the recording (default: perf.data); - is standard input")
      .type("FILE");
  line.add_option("-c,--count", flags.sampling.period,
                  "sampling period: a number of events, or for the clock a time, such as 100us")
      .check(measure::check_period, "")
      .type("PERIOD");
  line.add_option("-o,--output", flags.output,
                  "the recording of a program to run; an old file becomes FILE.old")
      .type("FILE")
      .show_default();
  line.add_flag("-q,--quiet", flags.quiet, "print no progress of the recording");
}

Result<int> record_first(RecordingFlags& flags, std::string_view usual_events,
                         const std::function<Result<int>(int status)>& report) {
  flags.program.usual_events = usual_events;
  Result<Recorded> recorded = make_recording(flags);
  if (!recorded) return recorded.error();
  return recorded->written ? report(recorded->status) : recorded->status;
}

measure::Observer interruptible_observer() {
  count_interrupts();
  return {.progress = {}, .interrupts = interrupts, .enough = {}};
}

Result<Recorded> record_and_report(measure::RecordOptions options, bool quiet, double until,
                                   std::string_view hint) {
  options.command_line = own_command_line();
  measure::Observer observer = interruptible_observer();
  auto status_line = std::make_unique<StatusLine>(std::chrono::seconds(1));
  std::optional<measure::Forecast> forecast;
  if (options.what.target.only_a_command())
    forecast = measure::Forecast::from_recording(options.output, options.what.target.command);
  if (!quiet)
    observer.progress = [&](const pmu::Progress& progress) {
      pmu::Progress shown = progress;
      if (forecast) forecast->complete(shown);
      status_line->show(text::progress_fields(shown, hint));
    };
  Result<measure::Recorded> recorded =
      until == 0 ? measure::make_recording(options, observer)
                 : live::record_until(options, until, observer, symbol::FileResolver());
  status_line.reset();
  if (!recorded) return recorded.error();
  if (const auto& refusal = recorded->refusal)
    return Recorded{fail(refusal->reason, refusal->exit_status), false};
  if (!quiet) write_sentences(summary(*recorded, options.output));
  for (const std::string& obstacle : recorded->report.obstacles) (void)fail(obstacle, 0);
  return Recorded{status_after(recorded->outcome.interrupted, recorded->command.exit_status), true};
}

Result<Recorded> make_recording(const RecordingFlags& flags) {
  if (wants_cpu_list(flags.program)) {
    if (Status written = write_output(cpu_list()); !written) return written.error();
    return Recorded{};
  }
  Result<measure::MeasureOptions> what = read_program_options(flags.program);
  if (!what) return what.error();
  measure::RecordOptions options;
  options.what = *std::move(what);
  options.sampling = flags.sampling;
  options.output = flags.output;
  // With --until the precision determines the number of samples.
  options.sampling.periods_may_grow = flags.until.empty();
  if (Status taken = take_file_flags(flags.file, options); !taken) return taken.error();
  double until = measure::parse_percent(flags.until).value_or(0);
  if (until != 0 && options.what.target.only_a_command())
    return make_error(ErrorCode::kInvalidArgument,
                      "--until needs running processes (-p PID); a program is measured until it ends");
  if (until != 0 && options.rotation)
    return make_error(ErrorCode::kInvalidArgument, "--until needs a recording in one file: omit --rotate");
  return record_and_report(std::move(options), flags.quiet, until, flags.progress_hint);
}

}  // namespace hm::cli
