// SPDX-License-Identifier: MIT
// Sums over all bursts for confidence intervals: x is a burst's number of slots, and y an event's count in
// the burst. One thread at a time adds; others may read. Freestanding.
#pragma once

#include <stdint.h>

#include "event/event_id.h"

namespace hm::soft {

struct BurstSums {
  uint64_t bursts;
  uint64_t slots;                               // x
  uint64_t slots_squared;                       // x * x
  uint64_t events[event::kEventCount];          // y
  uint64_t events_squared[event::kEventCount];  // y * y
  uint64_t products[event::kEventCount];        // x * y

  void add_burst(uint64_t x, const uint64_t (&y)[event::kEventCount]) {
    add(bursts, 1);
    add(slots, x);
    add(slots_squared, x * x);
    for (unsigned i = 0; i < event::kEventCount; ++i) {
      add(events[i], y[i]);
      add(events_squared[i], y[i] * y[i]);
      add(products[i], x * y[i]);
    }
  }

  void add_all(const BurstSums& more) {
    add(bursts, more.bursts);
    add(slots, more.slots);
    add(slots_squared, more.slots_squared);
    for (unsigned i = 0; i < event::kEventCount; ++i) {
      add(events[i], more.events[i]);
      add(events_squared[i], more.events_squared[i]);
      add(products[i], more.products[i]);
    }
  }

 private:
  static void add(uint64_t& sum, uint64_t more) { __atomic_store_n(&sum, sum + more, __ATOMIC_RELAXED); }
};

}  // namespace hm::soft
