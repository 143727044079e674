// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/totals/totals.h"
#include "record/cpu_use.h"

namespace hm::totals {

// What a run on a modelled machine tells besides its events.
struct Modelled {
  std::string machine;  // which one
  uint64_t processes = 0;
  uint64_t threads = 0;
  uint64_t unrecorded_processes = 0;  // of which nothing was counted
  std::optional<uint64_t> cycles;     // of the cost model; nullopt: not measured
  std::string cost_model;             // what the cycles assume, in a sentence
};

// What came of a run whose events were counted, not sampled.
struct Counting {
  std::vector<std::string> command;  // empty where nothing was run
  std::string target;                // in words: the command, or what else was measured
  std::string pmu;                   // who counted
  int exit_status = 0;
  std::optional<Modelled> modelled;   // of the software PMU
  std::optional<record::CpuUse> cpu;  // the target's; nullopt: not known
  std::vector<std::string> notes;     // how the events were delivered, a line each
  Totals totals;                      // exact; only events that were counted

  // Instructions a modelled cycle; nullopt where instructions were not counted.
  [[nodiscard]] std::optional<double> instructions_per_cycle() const;
};

}  // namespace hm::totals
