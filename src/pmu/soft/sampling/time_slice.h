// SPDX-License-Identifier: MIT
// A thread's time slice on a core: what happens on the core during it is counted for the thread.
// Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/counters.h"
#include "pmu/soft/sampling/modelled_core.h"
#include "pmu/soft/sampling/thread_slots.h"

namespace hm::soft {

// Events of one time slice that are too frequent for a call: translated code counts them by itself, whether
// or not a counter also counts down to their samples.
struct FrequentEvents {
  uint64_t instructions = 0;
  uint64_t loads = 0;
  uint64_t stores = 0;
};

class TimeSlice {
 public:
  // The counters may be the thread's own or, where threads never run in parallel, those of all threads.
  void begin(const ModelledCore& core, const Counters& counters) {
    cycles_ = core.cycles_at(core.tick);
    for (unsigned i = 0; i < kEventCount; ++i) counted_[i] = counters.total(static_cast<EventId>(i));
  }

  // The cost model's cycles since the beginning, at the tick `now`.
  [[nodiscard]] uint64_t cycles(const ModelledCore& core, Tick now) const {
    return core.cycles_at(now) - cycles_;
  }

  // How often an event happened since begin().
  [[nodiscard]] uint64_t count(EventId id, const FrequentEvents& frequent, const Counters& counters) const {
    switch (id) {
      case EventId::kInstrRetired:
        return frequent.instructions;
      case EventId::kMemoryLoads:
        return frequent.loads;
      case EventId::kMemoryStores:
        return frequent.stores;
      case EventId::kMemoryMoves:
        return frequent.loads + frequent.stores;
      default:
        return counters.total(id) - counted_[index_of(id)];
    }
  }

  // Adds all that happened since begin(), but for the slots; `core.tick` is the end. begin() has to be called
  // before the next slice.
  void add_to(Counted& sums, const FrequentEvents& frequent, const ModelledCore& core,
              const Counters& counters) const {
    for (unsigned i = 0; i < kEventCount; ++i)
      add_total(sums.events[i], count(static_cast<EventId>(i), frequent, counters));
    add_total(sums.cycles, cycles(core, core.tick));
  }

 private:
  uint64_t cycles_ = 0;
  uint64_t counted_[kEventCount] = {};
};

}  // namespace hm::soft
