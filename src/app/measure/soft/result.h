// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "event/event_id.h"
#include "model/geometry.h"
#include "pmu/soft/launcher/run.h"

namespace hm::measure {

// Result of a run under the software PMU.
struct SoftResult {
  soft::RunResult run;
  std::string engine;  // name of the engine
  model::MachineGeometry geometry;
  soft::CollectionLimits limits;
  model::SizeRanges sizes;
  soft::BurstPlan bursts{0, 0};         // 0 slots: everything was measured
  bool in_episodes = false;             // measured within a budget (pmu/soft/launcher/episodes.h)
  std::vector<event::EventId> counted;  // events with measured totals
};

}  // namespace hm::measure
