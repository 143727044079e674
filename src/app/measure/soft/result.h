// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "event/event_id.h"
#include "model/geometry.h"
#include "pmu/soft/launcher/run.h"

namespace hm::measure {

// What came of a run under the software PMU.
struct SoftResult {
  soft::RunResult run;
  std::string engine;  // its name
  model::MachineGeometry geometry;
  soft::CollectionLimits limits;
  model::SizeRanges sizes;
  soft::BurstPlan bursts{0, 0};         // no slots: everything was measured
  bool in_episodes = false;             // measured within a budget (pmu/soft/launcher/episodes.h)
  std::vector<event::EventId> counted;  // whose totals are measured
};

}  // namespace hm::measure
