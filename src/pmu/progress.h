// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

namespace hm::pmu {

// Progress of a running measurement. A field is nullopt if no source reports it.
struct Progress {
  uint64_t elapsed_ns = 0;
  uint64_t samples = 0;
  bool command_ended = false;         // processes that the command started may still run
  std::optional<uint64_t> processes;  // living processes that are measured
  std::optional<uint64_t> bytes;      // bytes of records
  std::optional<uint64_t> lost_records;
  std::optional<uint64_t> instructions;
  std::optional<uint64_t> l1_misses;
  std::optional<double> cost;  // upper bound, as a share of the processes' CPU time; nullopt: no budget
  std::optional<double> budget;
};

}  // namespace hm::pmu
