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
};

}  // namespace hm::soft
