// SPDX-License-Identifier: MIT
// Cost of measuring: a program's time with and without a measurement, run alternately. The method is from the
// final report of the original hardmeter, section 6.1. For branch records, the method is from figure 9 of the
// paper on time series from branch records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/estimate.h"

namespace hm::overhead {

// One run of the program.
struct Run {
  double wall_seconds = 0;
  double cpu_seconds = 0;  // user and kernel mode, of the program and the children that it waited for
  uint64_t samples = 0;
  uint64_t lost = 0;  // records that did not fit into a ring buffer
};

// Runs in one configuration.
struct Series {
  std::string name;       // "nothing", "sampling every 100 us"
  std::vector<Run> runs;  // in order of time; round i made run i of every series
  std::string obstacle;   // reason why there are no runs
};

struct Cost {
  std::string name;
  std::string obstacle;
  std::optional<host::Estimate> wall_seconds;  // medians over the rounds
  std::optional<host::Estimate> cpu_seconds;
  // Medians of the ratio to the first series in the same round, minus 1: 0.02 is 2 % more.
  std::optional<host::Estimate> more_wall;
  std::optional<host::Estimate> more_cpu;
  std::optional<double>
      samples_per_second;  // per second of wall time; nullopt if the series takes no samples
  uint64_t lost = 0;       // in all rounds
};

// Compares all series with the first one.
[[nodiscard]] std::vector<Cost> find_costs(const std::vector<Series>& all);

}  // namespace hm::overhead
