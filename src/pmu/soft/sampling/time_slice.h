// SPDX-License-Identifier: MIT
// A thread's time slice on a core: events on the core during the slice are counted for the thread.
// Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/counters.h"
#include "pmu/soft/sampling/modelled_core.h"
#include "pmu/soft/sampling/thread_slots.h"

namespace hm::soft {

// Events of one time slice that are too frequent for a call. Translated code counts them itself, whether or
// not a counter also counts down to their samples.
struct FrequentEvents {
  uint64_t instructions = 0;
  uint64_t loads = 0;
  uint64_t stores = 0;
  uint64_t waits[event::kWaitEvents] = {};  // memory_wait first

  // Takes the core's waits since the last call.
  void take_waits(ModelledCore& core) {
    using enum EventId;
    constexpr EventId kOfMemory[] = {kL2Wait, kL3Wait, kDramWait, kPeerWait, kTlbWait};
    waits[0] = 0;
    for (EventId id : kOfMemory) waits[0] += wait(id) = core.waits.take(id);
    wait(kFetchWait) = core.waits.take(kFetchWait);
    wait(kBranchWait) = core.costs.take_branch_wait();
  }
  uint64_t& wait(EventId id) { return waits[index_of(id) - index_of(EventId::kMemoryWait)]; }
};

class TimeSlice {
 public:
  // The counters are the thread's own or, if threads never run in parallel, shared by all threads.
  void begin(const ModelledCore& core, const Counters& counters) {
    cycles_ = core.cycles_at(core.tick);
    for (unsigned i = 0; i < kEventCount; ++i) counted_[i] = counters.total(static_cast<EventId>(i));
  }

  // Returns the cost model's cycles since begin(), at the tick `now`.
  [[nodiscard]] uint64_t cycles(const ModelledCore& core, Tick now) const {
    return core.cycles_at(now) - cycles_;
  }

  // Returns how often an event happened since begin().
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
        if (id >= EventId::kMemoryWait) return frequent.waits[index_of(id) - index_of(EventId::kMemoryWait)];
        return counters.total(id) - counted_[index_of(id)];
    }
  }

  // Adds all counts since begin(), except the slots; `core.tick` is the end. begin() has to be called before
  // the next slice.
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
