// SPDX-License-Identifier: MIT
#include "app/measure/overhead_measurement.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "app/measure/record_run.h"
#include "pmu/linux/command.h"

namespace hm::measure {
namespace {

enum class Means : uint8_t { kNothing, kCounting, kSampling, kSoftware, kBursts, kAttached };

struct Way {
  std::string name;
  Means means;
  std::string interval = {};  // of the kernel's clock
  bool branches = false;
};

constexpr double kBudget = 0.05;

std::vector<Way> all_ways(const std::vector<std::string>& intervals) {
  std::vector<Way> ways{{"nothing", Means::kNothing}, {"counting", Means::kCounting}};
  for (bool branches : {false, true}) {
    for (const std::string& each : intervals)
      ways.push_back({fmt::format("sampling every {}{}", each, branches ? ", with branches" : ""),
                      Means::kSampling, each, branches});
  }
  ways.push_back({"software PMU, exact", Means::kSoftware});
  ways.push_back({"software PMU, bursts", Means::kBursts});
  ways.push_back({fmt::format("software PMU, attached, {:.0f} %", 100 * kBudget), Means::kAttached});
  return ways;
}

struct Figures {
  overhead::Run run;
  int exit_status = 0;
  bool interrupted = false;
};

Figures figures_of(const pmu::Outcome& outcome, const pmu::CommandEnd& command,
                   const pmu::Progress& progress) {
  return {
      {static_cast<double>(outcome.elapsed_ns) / 1e9, static_cast<double>(command.cpu_time.sum_ns()) / 1e9,
       progress.samples, progress.lost_records.value_or(0)},
      command.exit_status,
      outcome.interrupted};
}

Error refused(const pmu::Refusal& refusal) { return Error{ErrorCode::kPermission, refusal.reason}; }

pmu::CommandOutput output_of(const OverheadOptions& options) {
  return options.silent ? pmu::CommandOutput::kNowhere : pmu::CommandOutput::kAsIs;
}

Observer observer_of(const OverheadOptions& options) {
  return {.progress = {}, .interrupts = options.interrupts, .enough = {}};
}

Result<Figures> count_once(const OverheadOptions& options, const Way& way) {
  MeasureOptions wanted;
  wanted.source = SourceKind::kKernel;
  wanted.target.command = options.command;
  wanted.target.output = output_of(options);
  if (way.means == Means::kCounting) wanted.events = *event::parse_selections("clock");
  Result<Counted> counted = count_events(wanted, observer_of(options));
  if (!counted) return counted.error();
  if (counted->refusal) return refused(*counted->refusal);
  return figures_of(counted->outcome, counted->command, {});
}

RecordOptions recording_of(const OverheadOptions& options, const Way& way, const std::string& path) {
  RecordOptions wanted;
  wanted.output = path;
  wanted.what.target.command = options.command;
  wanted.what.target.output = output_of(options);
  bool by_time = way.means == Means::kSampling;
  wanted.what.source = by_time ? SourceKind::kKernel : SourceKind::kSoftware;
  wanted.what.events =
      *event::parse_selections(by_time ? "clock" : "l1_cache_miss,l2_cache_miss,dtlb_load_miss");
  if (by_time) wanted.sampling.period = way.interval;
  if (way.branches) wanted.sampling.branches = "any,u";
  if (way.means == Means::kBursts) wanted.what.software.bursts = soft::BurstPlan{};
  if (way.means == Means::kAttached) wanted.what.software.budget = kBudget;
  return wanted;
}

Result<Figures> record_once(const OverheadOptions& options, const Way& way, const std::string& path) {
  Result<Recorded> recorded = make_recording(recording_of(options, way, path), observer_of(options));
  if (!recorded) return recorded.error();
  if (recorded->refusal) return refused(*recorded->refusal);
  return figures_of(recorded->outcome, recorded->command, recorded->progress);
}

// Starts the command natively and attaches to it immediately.
Result<Figures> attach_once(const OverheadOptions& options, const Way& way, const std::string& path) {
  Result<linux_pmu::Command> command = linux_pmu::Command::prepare(options.command, output_of(options));
  if (!command) return command.error();
  auto begin = std::chrono::steady_clock::now();
  if (Status started = command->go(); !started) return started.error();
  RecordOptions wanted = recording_of(options, way, path);
  wanted.what.target.command.clear();
  wanted.what.target.pids = {command->pid()};
  Observer observer = observer_of(options);
  observer.enough = [&] { return command->status().has_value(); };  // no other source waits for the command
  Result<Recorded> recorded = make_recording(wanted, observer);
  if (!recorded || recorded->outcome.interrupted) command->terminate();
  while (!command->status()) ::poll(nullptr, 0, 1);
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (!recorded) return recorded.error();
  return Figures{{elapsed.count(), static_cast<double>(command->cpu_time().sum_ns()) / 1e9,
                  recorded->progress.samples, recorded->progress.lost_records.value_or(0)},
                 *command->status(),
                 recorded->outcome.interrupted};
}

Result<Figures> run_once(const OverheadOptions& options, const Way& way, const std::string& path) {
  if (way.means == Means::kNothing || way.means == Means::kCounting) return count_once(options, way);
  return way.means == Means::kAttached ? attach_once(options, way, path) : record_once(options, way, path);
}

void remove_recording(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

class Rounds {
 public:
  explicit Rounds(const OverheadOptions& options)
      : options_(options),
        path_(fmt::format("{}/hardmeter-overhead-{}.data", options.folder, ::getpid())),
        ways_(all_ways(options.intervals)) {
    for (const Way& way : ways_) series_.push_back({way.name, {}, {}});
  }

  Result<std::vector<overhead::Series>> run() {
    for (unsigned round = 0; round < options_.rounds; ++round) {
      for (size_t i = 0; i < ways_.size(); ++i) {
        if (Status done = run_way((i + round) % ways_.size()); !done) return done.error();
        if (options_.interrupts && options_.interrupts() > 0) return whole_rounds(round);
      }
    }
    return series_;
  }

 private:
  Status run_way(size_t index) {
    overhead::Series& series = series_[index];
    if (!series.obstacle.empty()) return {};
    if (options_.progress)
      options_.progress(++runs_, static_cast<unsigned>(ways_.size()) * options_.rounds, series.name);
    Result<Figures> result = run_once(options_, ways_[index], path_);
    remove_recording(path_);
    if (!result) {
      if (ways_[index].means == Means::kNothing || ways_[index].means == Means::kCounting)
        return result.error();
      series.obstacle = result.error().message;
      return {};
    }
    series.runs.push_back(result->run);
    int status = result->exit_status;
    if (!exit_status_) exit_status_ = status;
    if (*exit_status_ != status && !result->interrupted)
      return make_error(
          ErrorCode::kInvalidArgument,
          "'{}' exited with status {}, and with {} it exited with {}: its runs cannot be compared",
          options_.command[0], *exit_status_, series.name, status);
    return {};
  }

  std::vector<overhead::Series> whole_rounds(size_t rounds) {
    for (overhead::Series& series : series_) {
      if (series.runs.size() > rounds) series.runs.resize(rounds);
    }
    return series_;
  }

  const OverheadOptions& options_;
  std::string path_;
  std::vector<Way> ways_;
  std::vector<overhead::Series> series_;
  std::optional<int> exit_status_;
  unsigned runs_ = 0;
};

}  // namespace

Result<std::vector<overhead::Series>> measure_overhead(const OverheadOptions& options) {
  return Rounds(options).run();
}

}  // namespace hm::measure
