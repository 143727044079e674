// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

namespace hm::pmu {

// How a measurement goes. What no source tells is nullopt.
struct Progress {
  uint64_t elapsed_ns = 0;
  uint64_t samples = 0;
  bool command_ended = false;         // processes that it has started may go on
  std::optional<uint64_t> processes;  // that live and are measured
  std::optional<uint64_t> bytes;      // of records
  std::optional<uint64_t> lost_records;
  std::optional<uint64_t> instructions;
  std::optional<uint64_t> l1_misses;
  std::optional<double> cost;  // at most, as a share of the processes' CPU time, where that is limited
  std::optional<double> budget;
};

}  // namespace hm::pmu
