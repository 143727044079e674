// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include "event/event_id.h"

namespace hm::soft {

// Counts during a number of slots.
struct Counted {
  uint64_t slots;   // instructions and data accesses
  uint64_t cycles;  // of the cost model
  uint64_t events[event::kEventCount];

  void add(const Counted& more) {
    slots += more.slots;
    cycles += more.cycles;
    for (unsigned i = 0; i < event::kEventCount; ++i) events[i] += more.events[i];
  }
};

}  // namespace hm::soft
