// SPDX-License-Identifier: MIT
// What measuring costs: a program's time with and without it, run in turn (the final report of the original
// hardmeter, section 6.1; with branch records, figure 9 of the paper on time series from branch records).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/estimate.h"

namespace hm::overhead {

// One run of the program.
struct Run {
  double wall_seconds = 0;
  double cpu_seconds = 0;  // of the program and the children it waited for, user and kernel mode
  uint64_t samples = 0;
  uint64_t lost = 0;  // records that did not fit a ring
};

// One way to run it.
struct Series {
  std::string name;       // "nothing", "sampling every 100 us"
  std::vector<Run> runs;  // in the order they were made: run i of every series was made in round i
  std::string obstacle;   // why there are no runs
};

struct Cost {
  std::string name;
  std::string obstacle;
  std::optional<host::Estimate> wall_seconds;  // medians over the rounds
  std::optional<host::Estimate> cpu_seconds;
  // Medians of the ratios to the first series in the same round, less 1: 0.02 is 2 % more.
  std::optional<host::Estimate> more_wall;
  std::optional<host::Estimate> more_cpu;
  std::optional<double> samples_per_second;  // of wall time; nullopt where none are taken
  uint64_t lost = 0;                         // in all rounds
};

// The first series is what the others are compared with.
[[nodiscard]] std::vector<Cost> find_costs(const std::vector<Series>& all);

}  // namespace hm::overhead
