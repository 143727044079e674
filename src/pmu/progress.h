// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

namespace hm::pmu {

// Progress of a measurement. Values that no source provides are nullopt.
struct Progress {
  uint64_t elapsed_ns = 0;
  uint64_t samples = 0;
  bool command_ended = false;         // processes that it has started may continue
  std::optional<uint64_t> processes;  // live, measured processes
  std::optional<uint64_t> bytes;      // size of the records
  std::optional<uint64_t> lost_records;
  std::optional<uint64_t> instructions;
  std::optional<uint64_t> own_ns;  // estimated CPU time of the processes without being measured
  std::optional<uint64_t> l1_misses;
  std::optional<double> part;            // of the whole run, if its length is known from an earlier one
  std::optional<uint64_t> remaining_ns;  // forecast
  std::optional<double> cost;  // upper bound as a share of the processes' CPU time, if there is a budget
  std::optional<double> budget;
};

}  // namespace hm::pmu
