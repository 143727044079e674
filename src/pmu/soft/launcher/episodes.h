// SPDX-License-Identifier: MIT
// When running processes are measured, where that may cost a limited share of their CPU time only: in
// episodes, between which they run natively.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "base/taken_by_processes.h"
#include "pmu/soft/launcher/budget.h"
#include "pmu/soft/launcher/engine.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

// CPU time of a process by its clock, to the nanosecond; 0 if there is none.
[[nodiscard]] uint64_t clock_of_ns(pid_t process);
[[nodiscard]] uint64_t growth_ns(const uint64_t& before, const uint64_t& now);
using CpuClocks = TakenByProcesses<uint64_t, clock_of_ns, growth_ns>;

// What came of it.
struct EpisodeTotals {
  uint64_t count = 0;  // 0: there was no budget
  std::vector<uint64_t>
      begins_ns;  // when they began, of the monotonic clock; where there are very many: of some of them
  uint64_t measured_ns = 0;
  CpuTimes cpu;
  double budget = 0;  // as a share of cpu.targets_ns; the next likewise
  double cost = 0;    // at most
};

class Episodes {
 public:
  // Processes are attached: the first episode begins. Both outlive it.
  Episodes(Engine& engine, Session& session, double share);

  // To be called again and again.
  void round();
  [[nodiscard]] bool is_measuring() const { return phase_ == Phase::kMeasuring; }
  // From now on, one that is about to be attached.
  void count(pid_t process) { clocks_.add(process); }
  // How long the next round has time.
  [[nodiscard]] uint64_t wait_ns() const;

  // At most, as a share of the processes' CPU time, when an episode ended or later.
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
  uint64_t began_ns_;  // the episode, and so the next
  uint64_t length_ns_;
  uint64_t ending_ns_ = 0;  // since when
  uint64_t count_ = 1;
  uint64_t told_each_ = 1;  // of so many episodes one is in begins_ns_
  std::vector<uint64_t> begins_ns_;
  uint64_t measured_ns_ = 0;
  double cost_ = 0;
};

}  // namespace hm::soft
