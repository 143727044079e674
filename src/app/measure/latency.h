// SPDX-License-Identifier: MIT
// What a level of this machine's memory costs.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "host/memory_costs.h"

namespace hm::measure {

struct LatencyOptions {
  std::optional<int> cpu;  // nullopt: the one it runs on
  std::string max_size;    // the most memory to visit, such as 256M; empty: some times the last cache
  bool quick = false;      // fewer sizes, shorter repetitions
  std::function<void(const host::SweepProgress&)> progress;
  std::function<int()> interrupts;  // the first ends it with what there is
};

[[nodiscard]] Result<host::MemoryCosts> measure_latency(const LatencyOptions& options);

}  // namespace hm::measure
