// SPDX-License-Identifier: MIT
// Limits the cost of a measurement of running processes. The cost is the CPU time that the processes take in
// episodes (launcher/episodes.h) plus hardmeter's own CPU time. This is an upper bound, because the processes
// also do their own work during an episode.
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
  // `share`: maximum cost as a share of the processes' CPU time; above 0.
  explicit Budget(double share) : share_(share) {}

  void begin_episode(const CpuTimes& now);
  void end_episode(const CpuTimes& now);

  // Returns true if another episode with the cost of the last one fits the budget. To be called between
  // episodes.
  [[nodiscard]] bool allows_episode(const CpuTimes& now) const;

  [[nodiscard]] uint64_t cost_ns(const CpuTimes& now) const;
  // Returns the cost as a share of the processes' CPU time, or 0 if they have used none.
  [[nodiscard]] double cost(const CpuTimes& now) const;

 private:
  double share_;
  CpuTimes began_;
  bool in_episode_ = false;
  uint64_t in_episodes_ns_ = 0;  // CPU time of the processes in all ended episodes
  uint64_t last_ns_ = 0;         // cost of the last episode
};

}  // namespace hm::soft
