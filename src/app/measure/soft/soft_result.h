// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/measure/soft/calibrated_costs.h"
#include "event/event_id.h"
#include "model/geometry.h"
#include "pmu/soft/launcher/run.h"

namespace hm::measure {

// Result of a run under the software PMU.
struct SoftResult {
  soft::RunResult run;
  std::string engine;  // name of the engine
  model::MachineGeometry geometry;
  std::optional<CalibratedCosts> costs;  // nullopt: cycles are those of the geometry's latencies
  soft::CollectionLimits limits;
  model::SizeRanges sizes;
  soft::BurstPlan bursts{0, 0};  // 0 slots: everything was measured
  soft::Models models = soft::Models::kAll;
  std::string reproducible;             // the defined machine that programs saw; empty: the real one
  uint32_t cores = 1;                   // modelled for each process
  uint64_t layout = 0;                  // number of their memory layout; 0: the usual one
  bool random_addresses = false;        // they were at other addresses than in any other run
  bool of_running_processes = false;    // the measurement began in the midst of their run
  bool in_episodes = false;             // measured within a budget (pmu/soft/launcher/episodes.h)
  std::vector<event::EventId> counted;  // events with measured totals
};

}  // namespace hm::measure
