// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/totals/totals.h"
#include "record/cost_source.h"
#include "record/cpu_use.h"

namespace hm::totals {

// Results of a run on a modelled machine besides its event counts.
struct Modelled {
  std::string machine;  // description of the machine
  uint64_t processes = 0;
  uint64_t threads = 0;
  uint64_t unrecorded_processes = 0;  // processes in which nothing was counted
  std::optional<uint64_t> cycles;     // cycles of the cost model; nullopt: not measured
  // Half-width of the 95 % interval of the share of memory_wait in the cycles; nullopt: none, or unknown.
  std::optional<double> wait_share_error{};
  // If no burst had a wait: the largest share of the instructions that bursts may have missed.
  std::optional<double> unseen_waits{};
  record::CostSource costs = record::CostSource::kStated;
  std::string cost_model;  // assumptions of the cycles, one sentence
};

// Results of a run that counts events without sampling.
struct Counting {
  std::vector<std::string> command;    // empty if no command was run
  std::string target;                  // description of the measured target: the command or another target
  std::string pmu;                     // name of the PMU
  std::vector<std::string> requested;  // events that the user has named; empty: the usual ones
  int exit_status = 0;
  std::optional<Modelled> modelled;   // set for the software PMU
  std::optional<record::CpuUse> cpu;  // CPU use of the target; nullopt: unknown
  std::vector<std::string> notes;     // one line each, about how the events were obtained
  Totals totals;                      // exact; only the counted events
  uint64_t layouts = 1;               // number of memory layouts; above 1, the counts are their medians
  std::optional<CountRange> cycles_range{};  // of the modelled cycles in all layouts

  // Returns the instructions per modelled cycle; nullopt if instructions were not counted.
  [[nodiscard]] std::optional<double> instructions_per_cycle() const;
};

}  // namespace hm::totals
