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

// A core's waits so far, by event. Added at each miss, so this only adds; time slices take the sums.
class WaitSums {
 public:
  // Parts of a cycle. `id`: l2_wait to fetch_wait; memory_wait is a sum of others.
  void add(event::EventId id, uint64_t parts) { parts_[of(id)] += parts; }

  // Returns the whole cycles since the last call.
  uint64_t take(event::EventId id) {
    uint64_t whole = parts_[of(id)] / model::Costs::kPerCycle, taken = taken_[of(id)];
    taken_[of(id)] = whole;
    return whole - taken;
  }

 private:
  static constexpr unsigned of(event::EventId id) {
    return event::index_of(id) - event::index_of(event::EventId::kMemoryWait);
  }
  uint64_t parts_[event::kWaitEvents] = {}, taken_[event::kWaitEvents] = {};
};

}  // namespace hm::soft
