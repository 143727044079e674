// SPDX-License-Identifier: MIT
// Sums over all bursts for confidence intervals: x is a burst's number of slots, y an event's count in the
// burst, and z the burst's modelled cycles. One thread at a time adds; others may read. Freestanding.
#pragma once

#include <stdint.h>

#include "event/event_id.h"

namespace hm::soft {

// A sum of products of counts. A day of bursts exceeds 64 bits.
class WideSum {
 public:
  void add(uint64_t x, uint64_t y) { add(static_cast<unsigned __int128>(x) * y); }
  void add(const WideSum& more) { add(more.value()); }

  [[nodiscard]] unsigned __int128 value() const {
    // A killed process may have left the copies different: bounded, and the sum then lacks the last product.
    uint64_t copy = 0, low = 0, high = 0;
    for (int tries = 0; tries < 1000; ++tries) {
      copy = __atomic_load_n(&high_copy_, __ATOMIC_ACQUIRE);
      low = __atomic_load_n(&low_, __ATOMIC_ACQUIRE);
      high = __atomic_load_n(&high_, __ATOMIC_ACQUIRE);
      if (copy == high) break;
    }
    return static_cast<unsigned __int128>(high) << 64 | low;
  }

 private:
  void add(unsigned __int128 product) {
    unsigned __int128 sum = value() + product;
    auto high = static_cast<uint64_t>(sum >> 64);
    __atomic_store_n(&high_, high, __ATOMIC_RELEASE);
    __atomic_store_n(&low_, static_cast<uint64_t>(sum), __ATOMIC_RELEASE);
    __atomic_store_n(&high_copy_, high, __ATOMIC_RELEASE);
  }

  uint64_t low_, high_, high_copy_;  // equal outside add(): readers detect a carry by their difference
};

struct BurstSums {
  uint64_t bursts;
  uint64_t slots;                              // x
  WideSum slots_squared;                       // x * x
  uint64_t events[event::kEventCount];         // y
  WideSum events_squared[event::kEventCount];  // y * y
  WideSum products[event::kEventCount];        // x * y
  uint64_t cycles;                             // z
  WideSum cycles_squared;                      // z * z
  WideSum cycles_by_slots;                     // x * z
  WideSum cycles_by_waits;                     // y * z of memory_wait

  void add_burst(uint64_t x, uint64_t z, const uint64_t (&y)[event::kEventCount]) {
    add(bursts, 1);
    add(slots, x);
    slots_squared.add(x, x);
    for (unsigned i = 0; i < event::kEventCount; ++i) {
      add(events[i], y[i]);
      events_squared[i].add(y[i], y[i]);
      products[i].add(x, y[i]);
    }
    add(cycles, z);
    cycles_squared.add(z, z);
    cycles_by_slots.add(x, z);
    cycles_by_waits.add(y[event::index_of(event::EventId::kMemoryWait)], z);
  }

  void add_all(const BurstSums& more) {
    add(bursts, more.bursts);
    add(slots, more.slots);
    slots_squared.add(more.slots_squared);
    for (unsigned i = 0; i < event::kEventCount; ++i) {
      add(events[i], more.events[i]);
      events_squared[i].add(more.events_squared[i]);
      products[i].add(more.products[i]);
    }
    add(cycles, more.cycles);
    cycles_squared.add(more.cycles_squared);
    cycles_by_slots.add(more.cycles_by_slots);
    cycles_by_waits.add(more.cycles_by_waits);
  }

 private:
  static void add(uint64_t& sum, uint64_t more) { __atomic_store_n(&sum, sum + more, __ATOMIC_RELAXED); }
};

}  // namespace hm::soft
