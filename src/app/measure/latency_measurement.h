// SPDX-License-Identifier: MIT
// Measures the latency of each level of this machine's memory.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "host/memory_costs.h"

namespace hm::measure {

struct LatencyOptions {
  std::optional<int> cpu;  // CPU to measure on; nullopt: the current CPU
  std::string max_size;    // maximum memory to visit, such as 256M; empty: a multiple of the last-level cache
  bool quick = false;      // fewer sizes and shorter repetitions
  std::function<void(const host::SweepProgress&)> progress;
  std::function<int()>
      interrupts;  // number of interruptions; the first one ends the measurement with the results so far
};

[[nodiscard]] Result<host::MemoryCosts> measure_latency(const LatencyOptions& options);

}  // namespace hm::measure
