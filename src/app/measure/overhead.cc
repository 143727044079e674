// SPDX-License-Identifier: MIT
#include "app/measure/overhead.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/measure/record.h"

namespace hm::measure {
namespace {

struct Way {
  std::string name;
  std::string events;  // empty: nothing is measured
  std::string period;  // of samples, in ns; empty: counted
  bool branches = false;
};

std::vector<Way> all_ways() {
  std::vector<Way> ways{{"nothing", "", ""}, {"counting", "clock", ""}};
  for (bool branches : {false, true}) {
    for (auto [period_ns, text] : {std::pair{"1000000", "1 ms"}, {"100000", "100 us"}, {"10000", "10 us"}})
      ways.push_back({fmt::format("sampling every {}{}", text, branches ? ", with branches" : ""), "clock",
                      period_ns, branches});
  }
  return ways;
}

struct Figures {
  overhead::Run run;
  int exit_status = 0;
  bool interrupted = false;
};

Figures figures_of(const pmu::Outcome& outcome, const pmu::CommandEnd& command,
                   const pmu::Progress& progress) {
  return {{static_cast<double>(outcome.elapsed_ns) / 1e9, static_cast<double>(command.cpu_ns) / 1e9,
           progress.samples, progress.lost_records.value_or(0)},
          command.exit_status,
          outcome.interrupted};
}

Error refused(const pmu::Refusal& refusal) { return Error{ErrorCode::kPermission, refusal.reason}; }

Result<Figures> run_once(const OverheadOptions& options, const Way& way, const std::string& path) {
  RecordOptions wanted;
  wanted.what.source = SourceKind::kKernel;
  wanted.what.target.command = options.command;
  wanted.what.target.output = options.silent ? pmu::CommandOutput::kNowhere : pmu::CommandOutput::kAsIs;
  if (!way.events.empty()) wanted.what.events = *event::parse_selections(way.events);
  Observer observer{.progress = {}, .interrupts = options.interrupts, .enough = {}};
  if (way.period.empty()) {
    Result<Counted> counted = count_events(wanted.what, observer);
    if (!counted) return counted.error();
    if (counted->refusal) return refused(*counted->refusal);
    return figures_of(counted->outcome, counted->command, {});
  }
  wanted.output = path;
  wanted.sampling.period = way.period;
  if (way.branches) wanted.sampling.branches = "any,u";
  Result<Recorded> recorded = make_recording(wanted, observer);
  if (!recorded) return recorded.error();
  if (recorded->refusal) return refused(*recorded->refusal);
  return figures_of(recorded->outcome, recorded->command, recorded->progress);
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
        ways_(all_ways()) {
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
      if (!ways_[index].branches) return result.error();
      series.obstacle = result.error().message;
      return {};
    }
    series.runs.push_back(result->run);
    int status = result->exit_status;
    if (!exit_status_) exit_status_ = status;
    if (*exit_status_ != status && !result->interrupted)
      return make_error(ErrorCode::kInvalidArgument,
                        "'{}' ended with status {} and then, with {}, with {}: its runs cannot be compared",
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
