// SPDX-License-Identifier: MIT
// Measures processes that already run: finds them, measures them in episodes if there is a budget, and
// detaches from them.
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

// How long to wait for a forked child that may have been killed before it created a ring.
inline constexpr uint64_t kForkPatienceNs = 2'000'000'000;

struct AttachedTargets {
  std::vector<pid_t> processes;
  // Returns all processes to measure now. Null: only `processes` are measured.
  std::function<std::vector<pid_t>()> find_more;
  // Maximum cost of the measurement as a share of the processes' CPU time (launcher/episodes.h); 0 =
  // unlimited.
  double budget = 0;
};

class AttachedRun {
 public:
  // All arguments must outlive this object.
  AttachedRun(Engine& engine, Session& session, const std::string& session_folder,
              const AttachedTargets& targets, Collector& collector);
  // Detaches from the processes that are still attached.
  ~AttachedRun();
  AttachedRun(const AttachedRun&) = delete;
  AttachedRun& operator=(const AttachedRun&) = delete;

  // Fails if no process can be measured, or if any of `processes` cannot be measured and `find_more` is null.
  [[nodiscard]] Status attach();
  // To be called repeatedly, each time after the collector has looked for new rings.
  void round();
  // Detaches from all processes for the rest of the run.
  void let_go();

  // Returns the maximum delay before the next round().
  [[nodiscard]] uint64_t wait_ns() const;
  [[nodiscard]] bool over() const;
  [[nodiscard]] size_t live_processes() const { return engine_.attached().size(); }
  // Returns null if there is no budget.
  [[nodiscard]] const Episodes* episodes() const { return episodes_ ? &*episodes_ : nullptr; }
  // CPU time of the processes until they are detached, including time in which they run natively. For a
  // process that has ended, the last 0.1 s may be missing.
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
  uint64_t cpu_time_read_ns_ = 0;  // time of the last read_cpu_time()
  uint64_t found_ns_ = 0;          // time of the last search for new processes
  uint64_t ended_ns_ = 0;          // time since which all processes are detached or have ended; 0 = not yet
  bool letting_go_ = false;
};

}  // namespace hm::soft
