// SPDX-License-Identifier: MIT
// The measurement of running processes: finds them, measures in episodes if there is a budget, and ends the
// measurement.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/cpu_time.h"
#include "base/process_stat.h"
#include "base/result.h"
#include "base/taken_by_processes.h"
#include "pmu/soft/launcher/collector.h"
#include "pmu/soft/launcher/engine.h"
#include "pmu/soft/launcher/episodes.h"

namespace hm::soft {

// Time to wait for the ring of a forked child, which may have been killed before it made one.
inline constexpr uint64_t kForkPatienceNs = 2'000'000'000;

struct AttachedTargets {
  std::vector<pid_t> processes;
  // Returns all processes to be measured now, if more may appear; null: only `processes`.
  std::function<std::vector<pid_t>()> find_more;
  double budget = 0;  // share of their CPU time that it may cost (launcher/episodes.h); 0: no limit
};

class AttachedRun {
 public:
  // All arguments outlive it.
  AttachedRun(Engine& engine, Session& session, const std::string& session_folder,
              const AttachedTargets& targets, Collector& collector);
  // Releases the processes that are still attached.
  ~AttachedRun();
  AttachedRun(const AttachedRun&) = delete;
  AttachedRun& operator=(const AttachedRun&) = delete;

  // Fails if no process can be measured, or if one of `processes` cannot and there is no find_more().
  [[nodiscard]] Status attach();
  // To be called repeatedly, after the collector has found new rings.
  void round();
  // Releases all processes permanently.
  void let_go();

  // Time until the next round is due.
  [[nodiscard]] uint64_t wait_ns() const;
  [[nodiscard]] bool over() const;
  [[nodiscard]] size_t live_processes() const { return engine_.attached().size(); }
  // Null if there is no budget.
  [[nodiscard]] const Episodes* episodes() const { return episodes_ ? &*episodes_ : nullptr; }
  // CPU time of the processes until they were released, including native execution. The last 0.1 s of a
  // process that has ended may be missing.
  [[nodiscard]] CpuTime cpu_time() const { return cpu_time_; }
  [[nodiscard]] EpisodeTotals episode_totals() { return episodes_ ? episodes_->totals() : EpisodeTotals(); }

 private:
  Status attach(pid_t process) { return engine_.attach(session_, session_folder_, process); }
  void attach_new();
  void read_cpu_time();

  Engine& engine_;
  Session& session_;
  const std::string& session_folder_;
  const AttachedTargets& targets_;
  Collector& collector_;
  std::optional<Episodes> episodes_;
  TakenByProcesses<CpuTime, cpu_time_of, growth> cpu_times_;
  CpuTime cpu_time_;
  uint64_t cpu_time_read_ns_ = 0;  // time of the last reading
  uint64_t found_ns_ = 0;          // time of the last search for processes
  uint64_t ended_ns_ = 0;          // time when all were released or had ended
  bool letting_go_ = false;
};

}  // namespace hm::soft
