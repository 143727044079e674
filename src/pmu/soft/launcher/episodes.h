// SPDX-License-Identifier: MIT
// Measures running processes in episodes, between which they run natively. For measurements with a limited
// share of the processes' CPU time.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "base/taken_by_processes.h"
#include "pmu/soft/launcher/budget.h"
#include "pmu/soft/launcher/engine.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

// CPU time of a process from its clock, in ns; 0 if the process does not exist.
[[nodiscard]] uint64_t clock_of_ns(pid_t process);
[[nodiscard]] uint64_t growth_ns(const uint64_t& before, const uint64_t& now);
using CpuClocks = TakenByProcesses<uint64_t, clock_of_ns, growth_ns>;

// Totals of all episodes.
struct EpisodeTotals {
  uint64_t count = 0;               // 0: there was no budget
  std::vector<uint64_t> begins_ns;  // start times, CLOCK_MONOTONIC; a subset if there are very many
  uint64_t measured_ns = 0;
  CpuTimes cpu;
  double budget = 0;  // as a share of cpu.targets_ns, like `cost`
  double cost = 0;    // upper bound
};

class Episodes {
 public:
  // Begins the first episode with the attached processes. Both outlive it.
  Episodes(Engine& engine, Session& session, double share);

  // To be called repeatedly.
  void round();
  [[nodiscard]] bool is_measuring() const { return phase_ == Phase::kMeasuring; }
  // Counts the CPU time of a process that is about to be attached.
  void count(pid_t process) { clocks_.add(process); }
  // Time until the next round is due.
  [[nodiscard]] uint64_t wait_ns() const;

  // Upper bound of the cost, as a share of the processes' CPU time, at an episode's end or later.
  [[nodiscard]] double cost() const { return cost_; }
  [[nodiscard]] double budget() const { return share_; }
  [[nodiscard]] EpisodeTotals totals();

 private:
  enum class Phase : uint8_t { kMeasuring, kEnding, kNative };

  [[nodiscard]] CpuTimes now();
  [[nodiscard]] bool all_rest(uint64_t now_ns) const;
  void begin_next(const CpuTimes& times);
  void note_begin();

  Engine& engine_;
  Session& session_;
  double share_;
  Budget budget_;
  CpuClocks clocks_;
  uint64_t own_began_ns_;
  Phase phase_ = Phase::kMeasuring;
  uint64_t began_ns_;  // start of the current or last episode
  uint64_t length_ns_;
  uint64_t ending_ns_ = 0;  // since when the episode is ending
  uint64_t count_ = 1;
  uint64_t told_each_ = 1;  // one of this many episodes is in begins_ns_
  std::vector<uint64_t> begins_ns_;
  uint64_t measured_ns_ = 0;
  double cost_ = 0;
};

}  // namespace hm::soft
