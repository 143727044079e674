// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

namespace hm::host {

// Disturbances on the CPU while the calling thread measured.
struct Disturbance {
  uint64_t preemptions = 0;            // times that the thread was preempted (getrusage(2), ru_nivcsw)
  std::optional<double> stolen_share;  // fraction of time taken by the hypervisor (proc_stat(5), steal)
};

// Counts from its construction on. The thread must stay on `cpu`.
class DisturbanceMeter {
 public:
  explicit DisturbanceMeter(int cpu);
  [[nodiscard]] Disturbance so_far() const;

 private:
  int cpu_;
  uint64_t begin_ns_;
  uint64_t preemptions_;
  std::optional<double> stolen_s_;
};

}  // namespace hm::host
