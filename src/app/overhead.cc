// SPDX-License-Identifier: MIT
#include "app/overhead.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/linux_session.h"

namespace hm::app {
namespace {

struct Way {
  std::string name;
  std::string events;                           // empty: nothing is measured
  std::optional<linux_pmu::Sampling> sampling;  // nullopt: counted
};

std::vector<Way> all_ways() {
  std::vector<Way> ways{{"nothing", "", {}}, {"counting", "clock", {}}};
  for (bool branches : {false, true}) {
    for (auto [period_ns, text] :
         {std::pair<uint64_t, const char*>{1000000, "1 ms"}, {100000, "100 us"}, {10000, "10 us"}}) {
      linux_pmu::Sampling sampling;
      sampling.period = period_ns;
      if (branches) sampling.branch_filter = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
      ways.push_back(
          {fmt::format("sampling every {}{}", text, branches ? ", with branches" : ""), "clock", sampling});
    }
  }
  return ways;
}

Result<LinuxResult> run_once(const OverheadOptions& options, const Way& way, const std::string& path) {
  LinuxOptions chosen;
  chosen.target.command = options.command;
  chosen.target.silent = options.silent;
  chosen.interrupts = options.interrupts;
  if (!way.events.empty()) chosen.events = *event::parse_selections(way.events);
  if (!way.sampling) return count_with_linux_pmu(chosen);
  chosen.sampling = *way.sampling;
  record::PerfDataSink recording(path);
  return record_with_linux_pmu(chosen, recording, {});
}

overhead::Run figures_of(const LinuxResult& result) {
  return {static_cast<double>(result.run.elapsed_ns) / 1e9, static_cast<double>(result.run.cpu_ns) / 1e9,
          result.run.tally.samples, result.run.tally.lost_records};
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
    Result<LinuxResult> result = run_once(options_, ways_[index], path_);
    remove_recording(path_);
    if (!result) {
      bool optional = ways_[index].sampling && ways_[index].sampling->branch_filter != 0;
      if (!optional) return result.error();
      series.obstacle = result.error().message;
      return {};
    }
    series.runs.push_back(figures_of(*result));
    int status = result->run.exit_status;
    if (!exit_status_) exit_status_ = status;
    if (*exit_status_ != status && !result->run.interrupted)
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

}  // namespace hm::app
