// SPDX-License-Identifier: MIT
// Limits the cost of a measurement of running processes. All CPU time that they use in episodes
// (launcher/episodes.h) counts as cost, although part of it is their own work. hardmeter's own CPU time
// counts, too. So the limited quantity is an upper bound.
#pragma once

#include <cstdint>

namespace hm::soft {

// CPU times since the measurement began.
struct CpuTimes {
  uint64_t targets_ns = 0;
  uint64_t own_ns = 0;
};

class Budget {
 public:
  // `share`: of the processes' CPU time; above 0.
  explicit Budget(double share) : share_(share) {}

  void begin_episode(const CpuTimes& now);
  void end_episode(const CpuTimes& now);

  // Between episodes: whether an episode with the last one's cost keeps within the budget.
  [[nodiscard]] bool allows_episode(const CpuTimes& now) const;

  [[nodiscard]] uint64_t cost_ns(const CpuTimes& now) const;
  // Cost as a share of the processes' CPU time; 0 if they used none.
  [[nodiscard]] double cost(const CpuTimes& now) const;

 private:
  double share_;
  CpuTimes began_;
  bool in_episode_ = false;
  uint64_t in_episodes_ns_ = 0;  // CPU time of the processes in episodes
  uint64_t last_ns_ = 0;         // cost of the last episode
};

}  // namespace hm::soft
