// SPDX-License-Identifier: MIT
#include "app/measure/soft/modelled_events.h"

#include <algorithm>

#include "pmu/soft/sampling/demand.h"

namespace hm::measure {

using event::EventId;

bool is_modelled(EventId id, const model::MachineGeometry& geometry, const Modelled& modelled) {
  if (soft::models_of(id) > modelled.models) return false;
  if (id == EventId::kL3CacheMiss || id == EventId::kL3Wait) return geometry.l3.present();
  if (id == EventId::kBranchWait) return modelled.branches;
  if (id == EventId::kPeerWait) return modelled.other_cores;
  return geometry.models_code() || !soft::is_of_code(id);
}

soft::Models needed_models(const std::vector<EventId>& events, bool sampling) {
  using soft::Models;
  Models models = Models::kNone;
  for (EventId id : events) models = std::max(models, soft::models_of(id));
  return sampling && models != Models::kNone ? Models::kAll : models;
}

}  // namespace hm::measure
