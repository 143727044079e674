// SPDX-License-Identifier: MIT
#include "cli/soft_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "app/collection_description.h"
#include "app/soft_description.h"
#include "cli/block_trace.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/sampling_words.h"
#include "cli/status_line.h"
#include "model/directory.h"
#include "pmu/soft/launcher/target.h"
#include "view/text/format.h"

namespace hm::cli {
namespace {

constexpr uint64_t kUsualPeriod = 1000;

Error hardware_only(const char* option) {
  return make_error(ErrorCode::kUnsupported,
                    "the software PMU cannot do {}; it is for the kernel's PMU (--pmu=linux)", option);
}

soft::EngineWish engine_wish(const std::string& word) {
  if (word == "direct") return soft::EngineWish::kDirect;
  return word == "valgrind" ? soft::EngineWish::kValgrind : soft::EngineWish::kAuto;
}

Status take_heap(const SamplingOptions& sampling, soft::HeapOptions& heap) {
  heap.observed = !sampling.no_heap_blocks;
  if (!heap.observed && !sampling.allocators.empty())
    return make_error(
        ErrorCode::kInvalidArgument,
        "--allocator names whose blocks to note, and --no-heap-blocks wants none; leave one out");
  for (const std::string& each : sampling.allocators) {
    Result<soft::AllocatorName> allocator = soft::parse_allocator(each);
    if (!allocator) return allocator.error();
    heap.allocators.push_back(*std::move(allocator));
  }
  return {};
}

Status take_sampling(const SamplingOptions& sampling, app::SoftOptions& options) {
  if (sampling.frequency_hz) return hardware_only("-F");
  Period period = sampling.period.empty() ? Period{kUsualPeriod, false} : *parse_period(sampling.period);
  if (period.is_time) return hardware_only("a period of time");
  std::optional<uint32_t> branches = soft_branches(sampling.branches);
  if (!sampling.branches.empty() && !branches) return hardware_only("this branch filter");
  options.period = period.events;
  options.jitter = !sampling.no_jitter;
  options.most_samples = sampling.most_samples;
  bool chains = sampling.call_chains || !sampling.call_graph.empty();
  options.call_chain_depth = chains ? soft::kMaxCallChain : 0;
  options.branch_filter = sampling.branches.empty() ? 0 : *branches;
  return take_heap(sampling, options.heap);
}

// The most important first: what does not fit is left out from the end.
std::vector<std::string> status_fields(const soft::RunProgress& progress) {
  auto count = [&](event::EventId id) { return progress.totals.counts[event::index_of(id)]; };
  uint64_t instructions = count(event::EventId::kInstrRetired);
  std::vector<std::string> fields{fmt::format("{:.1f} s", static_cast<double>(progress.elapsed_ns) / 1e9)};
  if (progress.command_ended && progress.live_processes > 0) {
    fields.emplace_back("the command has ended, others go on (Ctrl-C stops)");
  }
  fields.push_back(text::count_of(progress.live_processes, "process", "processes"));
  fields.push_back(text::count_of(progress.totals.samples, "sample", "samples"));
  if (instructions != 0) {
    auto misses = static_cast<double>(count(event::EventId::kL1CacheMiss));
    fields.push_back(fmt::format("{:.1f} L1 misses per 1000 instructions",
                                 misses * 1000 / static_cast<double>(instructions)));
    fields.push_back(text::count_of(instructions, "instruction", "instructions"));
  }
  return fields;
}

std::string pmu_name(const app::SoftResult& result) {
  return fmt::format("software PMU ({})", result.engine);
}

std::string summary(const app::SoftResult& result, const std::string& output, const std::string& reason) {
  std::string out = recording_summary(result.run.totals.samples, result.recorded_bytes, output);
  if (!reason.empty()) out += fmt::format("[ not by hardware: {} ]\n", reason);
  std::string collected = app::describe_collection(result);
  if (!collected.empty()) out += fmt::format("[ collected: {} ]\n", collected);
  return out + fmt::format("[ {}: {} ]\n", pmu_name(result), soft::describe(result.geometry));
}

std::string describe_unshared(const soft::Totals& totals) {
  return fmt::format(
      "{} had memory in common with others, and no lines of it were seen to change hands: that takes 256 MiB "
      "of room in /dev/shm, files that may be so large (ulimit -f), and at most {} processes at a time, and "
      "of files or segments 1,024 in all and 128 in a process",
      text::count_of(totals.unshared, "process", "processes"), model::kMostHolders);
}

std::string warnings(const app::SoftResult& result) {
  const soft::Totals& totals = result.run.totals;
  std::string out;
  if (result.run.interrupted) out += kInterruptedRecording;
  if (totals.unrecorded != 0) {
    out += fmt::format("hardmeter: {} could not be recorded and ran unmeasured\n",
                       text::count_of(totals.unrecorded, "process", "processes"));
  }
  if (totals.unshared != 0) out += fmt::format("hardmeter: {}\n", describe_unshared(totals));
  if (totals.damaged_rings != 0) {
    out +=
        fmt::format("hardmeter: {} wrote over the memory that holds its samples; the rest of them is lost\n",
                    text::count_of(totals.damaged_rings, "process", "processes"));
  }
  return out;
}

totals::Counting counting_of(const Measurement& measurement, const app::SoftResult& result) {
  totals::Counting counting;
  counting.command = measurement.target.command;
  counting.target = fmt::format("'{}'", fmt::join(counting.command, " "));
  counting.pmu = pmu_name(result);
  counting.exit_status = result.run.exit_status;
  counting.modelled = totals::Modelled{.machine = soft::describe(result.geometry),
                                       .processes = result.run.totals.processes,
                                       .threads = result.run.totals.threads,
                                       .unrecorded_processes = result.run.totals.unrecorded,
                                       .cycles = result.run.totals.cycles,
                                       .cost_model = app::describe_cost_model(result.geometry.latency)};
  counting.totals.elapsed_ns = result.run.elapsed_ns;
  for (event::EventId id : result.counted) {
    totals::EventTotal event{std::string(event::event_template(id).name), {}, {}, {}};
    event.count.exact = totals::Exact{result.run.totals.counts[event::index_of(id)], 0, 0};
    counting.totals.events.push_back(std::move(event));
  }
  if (std::string collected = app::describe_collection(result); !collected.empty())
    counting.notes.push_back(fmt::format("collected: {}", collected));
  if (result.run.totals.unshared != 0) counting.notes.push_back(describe_unshared(result.run.totals));
  totals::add_rates(counting.totals);
  return counting;
}

}  // namespace

Result<app::SoftOptions> soft_options(const Measurement& measurement, const ProgramOptions& options) {
  if (measurement.modes.chosen && measurement.modes.kernel) return hardware_only("-k");
  if (options.target.no_inherit) return hardware_only("-i");
  Result<std::vector<event::EventId>> events = event::only_table_events(measurement.events);
  if (!events) return events.error();
  app::SoftOptions soft;
  soft.engine = engine_wish(options.engine);
  soft.classes = !options.no_classes;
  soft.copies_only = options.copies_only;
  soft.absent_features = options.absent_features;
  soft.command = measurement.target.command;
  soft.events = *std::move(events);
  soft.geometry = options.geometry;
  soft.limits = options.limits;
  soft.interrupts = interrupts;
  soft.traced_function = options.traced_function;
  if (options.block_trace.empty()) return soft;
  auto trace = open_block_trace(options.block_trace);
  if (!trace) return trace.error();
  soft.block_trace = *std::move(trace);
  return soft;
}

Result<Recorded> record_soft(const Measurement& measurement, const RecordingOptions& options,
                             const std::string& reason) {
  Result<app::SoftOptions> soft = soft_options(measurement, options.program);
  if (!soft) return soft.error();
  if (std::optional<int> status = refuse_program(soft->command[0])) return Recorded{*status, false};
  if (Status taken = take_sampling(options.sampling, *soft); !taken) return taken.error();
  auto status_line = std::make_unique<StatusLine>();
  if (!options.quiet)
    soft->progress = [&](const soft::RunProgress& progress) { status_line->show(status_fields(progress)); };
  record::PerfDataSink recording(options.output);
  record::RecordingSink& sink = options.sink != nullptr ? *options.sink : recording;
  Result<app::SoftResult> result = app::record_with_soft_pmu(*soft, sink, own_command_line());
  status_line.reset();
  if (!result) return result.error();
  if (!options.quiet) write_message(summary(*result, options.output, reason) + warnings(*result));
  for (const std::string& obstacle : result->obstacles) (void)fail(obstacle, 0);
  return Recorded{result->run.exit_status, true};
}

Result<Counted> count_soft(const Measurement& measurement, const ProgramOptions& options) {
  Result<app::SoftOptions> soft = soft_options(measurement, options);
  if (!soft) return soft.error();
  if (options.events.empty()) soft->events.clear();  // what costs nothing is counted anyway
  Result<app::SoftResult> result = app::count_with_soft_pmu(*soft);
  if (!result) return result.error();
  return Counted{counting_of(measurement, *result), result->run.interrupted, result->obstacles, {}};
}

std::optional<int> refuse_program(const std::string& program) {
  auto target = soft::resolve_target(program);
  if (target) return std::nullopt;
  return fail(target.error().message, shell_status(target.error()));
}

}  // namespace hm::cli
