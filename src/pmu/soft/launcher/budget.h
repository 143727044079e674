// SPDX-License-Identifier: MIT
// How much a measurement of running processes may cost them. All CPU time that they take in episodes
// (launcher/episodes.h) is counted as cost, though they do part of their own work meanwhile, and so is
// hardmeter's own: what is not to be exceeded is an upper bound.
#pragma once

#include <cstdint>

namespace hm::soft {

// Since the measurement began.
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

  // Between episodes: whether one more that costs what the last did keeps within the budget.
  [[nodiscard]] bool allows_episode(const CpuTimes& now) const;

  [[nodiscard]] uint64_t cost_ns(const CpuTimes& now) const;
  // As a share of the processes' CPU time; 0 where they have none.
  [[nodiscard]] double cost(const CpuTimes& now) const;

 private:
  double share_;
  CpuTimes began_;
  bool in_episode_ = false;
  uint64_t in_episodes_ns_ = 0;  // of the processes
  uint64_t last_ns_ = 0;         // what the last episode cost
};

}  // namespace hm::soft
