// SPDX-License-Identifier: MIT
// Splits waits into whole cycles, which events count, and rests of less than one cycle, which are kept for
// each event. Freestanding.
#pragma once

#include <stdint.h>

#include "event/event_id.h"
#include "model/cost/costs.h"

namespace hm::soft {

class WholeCycles {
 public:
  // Adds parts of a cycle (model::Costs::kPerCycle). Returns the whole cycles.
  uint64_t take_whole(event::EventId id, uint64_t parts) {
    uint64_t& rest = rests_[event::index_of(id)];
    uint64_t sum = rest + parts;
    rest = sum % model::Costs::kPerCycle;
    return sum / model::Costs::kPerCycle;
  }

 private:
  uint64_t rests_[event::kEventCount] = {};
};

}  // namespace hm::soft
