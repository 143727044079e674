// SPDX-License-Identifier: MIT
// The measurement of processes that run already: which there are, in episodes where there is a budget, and
// how it ends.
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

// A forked child that was killed before it had a ring is awaited for so long.
inline constexpr uint64_t kForkPatienceNs = 2'000'000'000;

struct AttachedTargets {
  std::vector<pid_t> processes;
  // All that are to be measured now, where more may come; null: only `processes`.
  std::function<std::vector<pid_t>()> find_more;
  double budget = 0;  // the share of their CPU time that it may cost (launcher/episodes.h); 0: all
};

class AttachedRun {
 public:
  // All outlive it.
  AttachedRun(Engine& engine, Session& session, const std::string& session_folder,
              const AttachedTargets& targets, Collector& collector);
  // Lets go of those that still are attached.
  ~AttachedRun();
  AttachedRun(const AttachedRun&) = delete;
  AttachedRun& operator=(const AttachedRun&) = delete;

  // An error: none can be measured; or not all of `processes`, where these alone are wanted.
  [[nodiscard]] Status attach();
  // To be called again and again, once the collector has found new rings.
  void round();
  // For good.
  void let_go();

  // How long the next round has time.
  [[nodiscard]] uint64_t wait_ns() const;
  [[nodiscard]] bool over() const;
  [[nodiscard]] size_t live_processes() const { return engine_.attached().size(); }
  // Null where there is no budget.
  [[nodiscard]] const Episodes* episodes() const { return episodes_ ? &*episodes_ : nullptr; }
  // That the processes took until they were let go, natively too; of each that has ended, all but its last
  // 0.1 s.
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
  uint64_t cpu_time_read_ns_ = 0;  // when
  uint64_t found_ns_ = 0;          // when processes were looked for last
  uint64_t ended_ns_ = 0;          // since when all are let go, or have ended
  bool letting_go_ = false;
};

}  // namespace hm::soft
