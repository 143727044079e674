// SPDX-License-Identifier: MIT
// Schedules the measurement of running processes within a budget, a share of their CPU time. The processes
// are measured in episodes and run natively between episodes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "base/run_queue_wait.h"
#include "base/taken_by_processes.h"
#include "pmu/soft/launcher/budget.h"
#include "pmu/soft/launcher/engine.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

// Returns the process's CPU time by its clock, in nanoseconds; 0 if the process does not exist.
[[nodiscard]] uint64_t clock_of_ns(pid_t process);
[[nodiscard]] uint64_t growth_ns(const uint64_t& before, const uint64_t& now);
using CpuClocks = TakenByProcesses<uint64_t, clock_of_ns, growth_ns>;
using RunQueueWaits = TakenByProcesses<uint64_t, run_queue_wait_ns, growth_ns>;

// Result of a measurement in episodes.
struct EpisodeTotals {
  uint64_t count = 0;  // 0 = there was no budget
  // Start times of the episodes on the monotonic clock. If there are many, only every n-th is listed.
  std::vector<uint64_t> begins_ns;
  uint64_t measured_ns = 0;
  CpuTimes cpu;
  double budget = 0;  // as a share of cpu.targets_ns
  double cost = 0;    // upper bound, as a share of cpu.targets_ns
};

class Episodes {
 public:
  // The processes are already attached, so the first episode begins at once. `engine` and `session` must
  // outlive this object.
  Episodes(Engine& engine, Session& session, double share);

  // To be called repeatedly.
  void round();
  [[nodiscard]] bool is_measuring() const { return phase_ == Phase::kMeasuring; }
  // Counts the process's CPU time from now on. To be called just before the process is attached.
  void count(pid_t process) {
    clocks_.add(process);
    waits_.add(process);
  }
  // Returns the maximum delay before the next round().
  [[nodiscard]] uint64_t wait_ns() const;

  // Upper bound of the cost as a share of the processes' CPU time, at the last round() between episodes.
  [[nodiscard]] double cost() const { return cost_; }
  [[nodiscard]] double budget() const { return share_; }
  [[nodiscard]] EpisodeTotals totals();
  // Returns totals() without the CPU times and the cost, which take a system call for each process.
  [[nodiscard]] EpisodeTotals times() const;

 private:
  enum class Phase : uint8_t { kMeasuring, kEnding, kNative };

  [[nodiscard]] CpuTimes now();
  [[nodiscard]] bool all_rest(uint64_t now_ns) const;
  [[nodiscard]] bool lacked_cpus();
  void begin_next(const CpuTimes& times);
  void note_begin();

  Engine& engine_;
  Session& session_;
  double share_;
  Budget budget_;
  CpuClocks clocks_;
  RunQueueWaits waits_;
  uint64_t own_began_ns_;
  Phase phase_ = Phase::kMeasuring;
  uint64_t began_ns_;  // start of the current or last episode
  uint64_t length_ns_;
  unsigned extensions_ = 0;                        // of the current or last episode, by its length each
  uint64_t cpu_began_ns_ = 0, wait_began_ns_ = 0;  // CPU time and waits when it began
  uint64_t ending_ns_ = 0;                         // when the last episode began to end
  uint64_t count_ = 1;
  uint64_t report_interval_ = 1;  // begins_ns_ lists one episode in this many
  std::vector<uint64_t> begins_ns_;
  uint64_t measured_ns_ = 0;
  double cost_ = 0;
};

}  // namespace hm::soft
