// SPDX-License-Identifier: MIT
#include "cli/linux_run.h"

#include <fmt/format.h>

#include <memory>

#include "app/linux_description.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/sampling_words.h"
#include "cli/status_line.h"
#include "view/text/format.h"

namespace hm::cli {
namespace {

app::LinuxOptions linux_options(const Measurement& measurement, const ProgramOptions& options) {
  app::LinuxOptions chosen;
  chosen.target = measurement.target;
  chosen.events = measurement.events;
  chosen.modes = measurement.modes;
  chosen.inherit = !options.target.no_inherit;
  chosen.interrupts = interrupts;
  return chosen;
}

// What only the software PMU can do.
Status check_engine(const ProgramOptions& options) {
  if (options.limits.any())
    return make_error(ErrorCode::kUnsupported,
                      "the kernel's PMU cannot do {}; it is for the software PMU (--pmu=soft)",
                      options.limits.functions.empty() ? "--start-after" : "--function");
  if (options.block_trace.empty()) return {};
  return make_error(
      ErrorCode::kUnsupported,
      "--trace-blocks shows what the copying engine makes of a program, and the kernel's PMU runs it "
      "as it is; use --pmu=soft --engine=direct");
}

Status check_period(const Measurement& measurement, const SamplingOptions& sampling) {
  if (sampling.period.empty() || !parse_period(sampling.period)->is_time) return {};
  for (const event::Selection& each : measurement.events) {
    if (!event::is_clock(each))
      return make_error(ErrorCode::kInvalidArgument,
                        "-c {} is a time, and {} is not counted by time; give a number", sampling.period,
                        each.name);
  }
  return {};
}

std::vector<std::string> status_fields(const linux_pmu::RunProgress& progress) {
  std::vector<std::string> fields{fmt::format("{:.1f} s", static_cast<double>(progress.elapsed_ns) / 1e9),
                                  text::count_of(progress.tally.samples, "sample", "samples"),
                                  fmt::format("{:.1f} MB", static_cast<double>(progress.tally.bytes) / 1e6)};
  if (progress.tally.lost_records != 0)
    fields.push_back(text::count_of(progress.tally.lost_records, "record lost", "records lost"));
  return fields;
}

std::string summary(const app::LinuxResult& result, const std::string& output, const std::string& reason) {
  std::string out = recording_summary(result.run.tally.samples, result.recorded_bytes, output);
  if (!reason.empty()) out += fmt::format("[ the kernel's PMU: {} ]\n", reason);
  for (const app::Delivery& each : result.events)
    out += fmt::format("[ {}: {} ]\n", each.asked.name, app::describe_delivery(each));
  if (result.run.interrupted) out += kInterruptedRecording;
  for (const std::string& shortfall : app::shortfalls(result))
    out += fmt::format("hardmeter: {}\n", shortfall);
  return out;
}

totals::Counting counting_of(const Measurement& measurement, const ProgramOptions& options,
                             const app::LinuxResult& result) {
  totals::Counting counting;
  counting.command = measurement.target.command;
  counting.target = describe(measurement, options);
  counting.pmu = "the kernel's PMU";
  counting.exit_status = result.run.exit_status;
  counting.totals.elapsed_ns = result.run.elapsed_ns;
  for (const app::Delivery& each : result.events) {
    totals::EventTotal event{each.asked.name, {}, {}, {}};
    event.count.exact =
        totals::Exact{each.counted.value, each.counted.time_enabled_ns, each.counted.time_running_ns};
    counting.totals.events.push_back(std::move(event));
    for (const std::string& fallback : each.fallbacks)
      counting.notes.push_back(fmt::format("{}: {}", each.asked.name, fallback));
    if (!each.asked.note.empty())
      counting.notes.push_back(fmt::format("{}: {}", each.asked.name, each.asked.note));
  }
  totals::add_rates(counting.totals);
  return counting;
}

}  // namespace

Result<Recorded> record_linux(const Measurement& measurement, const RecordingOptions& options,
                              const std::string& reason) {
  if (Status good = check_engine(options.program); !good) return good.error();
  if (!options.sampling.allocators.empty())
    return make_error(ErrorCode::kUnsupported,
                      "the kernel's PMU cannot do --allocator; it is for the software PMU (--pmu=soft)");
  if (Status good = check_period(measurement, options.sampling); !good) return good.error();
  Result<linux_pmu::Sampling> sampling = read_sampling_options(options.sampling);
  if (!sampling) return sampling.error();
  app::LinuxOptions chosen = linux_options(measurement, options.program);
  chosen.sampling = *sampling;
  chosen.ring_bytes = options.sampling.ring_kib * 1024;
  chosen.most_samples = options.sampling.most_samples;
  auto status_line = std::make_unique<StatusLine>();
  if (!options.quiet)
    chosen.progress = [&](const linux_pmu::RunProgress& progress) {
      status_line->show(status_fields(progress));
    };
  record::PerfDataSink recording(options.output);
  record::RecordingSink& sink = options.sink != nullptr ? *options.sink : recording;
  Result<app::LinuxResult> result = app::record_with_linux_pmu(chosen, sink, own_command_line());
  status_line.reset();
  if (!result) return result.error();
  if (const std::string& problem = result->run.not_started; !problem.empty())
    return Recorded{fail(problem, result->run.exit_status), false};
  if (!options.quiet) write_message(summary(*result, options.output, reason));
  return Recorded{result->run.exit_status, true};
}

Result<Counted> count_linux(const Measurement& measurement, const ProgramOptions& options) {
  if (Status good = check_engine(options); !good) return good.error();
  Result<app::LinuxResult> result = app::count_with_linux_pmu(linux_options(measurement, options));
  if (!result) return result.error();
  return Counted{counting_of(measurement, options, *result), result->run.interrupted,
                 app::shortfalls(*result), result->run.not_started};
}

}  // namespace hm::cli
