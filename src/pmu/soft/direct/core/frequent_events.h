// SPDX-License-Identifier: MIT
// Samples of frequent events: instructions, loads and stores. To count each of them down costs more than the
// program itself. If periods are long, copies of Mode::kCollecting count only slots, loads and stores, and
// leave before a block in which a sample may be due. A copy of Mode::kSampling runs the block and counts its
// events down, so samples are the same as if all events were counted down.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/sampling/demand.h"

namespace hm::soft::direct {

inline constexpr EventId kFrequentEvents[] = {EventId::kInstrRetired, EventId::kMemoryLoads,
                                              EventId::kMemoryStores, EventId::kMemoryMoves};

// Returns true if the session's samples of frequent events are found this way. Each of them leaves the copied
// code a few times. Accesses of the two kinds of copies have different places in the code, by which models of
// data distinguish them.
inline bool finds_samples_ahead(const Session& session) {
  constexpr uint64_t kLeastPeriod = 2000;
  Demand demand = demand_of(session);
  if (demand.data || session.bursts.slots != 0 || session.copies_only != 0) return false;
  for (EventId id : kFrequentEvents) {
    const EventConfig& event = session.events[index_of(id)];
    if (event.sampled != 0 && event.period < kLeastPeriod) return false;
  }
  return demand.instructions || demand.memory;
}

// Adds the events since the last call to the thread's counters.
inline void count_frequent_events(Core& core) {
  FrequentCounts& before = core.in_counters;
  uint64_t loads = core.loads - before.loads, stores = core.stores - before.stores;
  uint64_t slots = (core.tick - before.tick) / 2;
  before = {core.tick, core.loads, core.stores};
  Counters& counters = core.thread->counters;
  counters.add(EventId::kInstrRetired, slots - loads - stores);
  counters.add(EventId::kMemoryLoads, loads);
  counters.add(EventId::kMemoryStores, stores);
  counters.add(EventId::kMemoryMoves, loads + stores);
}

// Returns how many frequent events of one kind may happen at most until the next sample of that kind is due.
inline int64_t events_before_sample(const Counters& counters) {
  int64_t least = Counters::kNever;
  for (EventId id : kFrequentEvents) {
    int64_t remaining = counters.remaining_of(id);
    if (remaining < least) least = remaining;
  }
  return least > 0 ? least - 1 : 0;
}

// Sets Core::sample_tick. Each slot is one event of a kind at most, so a sample is due once the thread has
// run as many slots as events remain, at the earliest. A thread that computes returns now and then, so that
// its totals are up to date.
inline void expect_samples(Core& core) {
  constexpr uint64_t kMostAhead = uint64_t{1} << 25;
  auto slots = static_cast<uint64_t>(events_before_sample(core.thread->counters));
  uint64_t due = core.in_counters.tick + 2 * slots;
  uint64_t latest = core.tick + kMostAhead;
  core.sample_tick = due < latest ? due : latest;
}

// Called while the thread's counters contain all events so far.
inline void restart_frequent_events(Core& core) {
  core.in_counters = {core.tick, core.loads, core.stores};
  expect_samples(core);
}

// Called when a thread begins to run on the core.
inline void begin_frequent_events(Core& core) {
  if (!core.samples_ahead) return;
  core.sampling = false;
  restart_frequent_events(core);
}

// Called when copied code was left. Chooses whether the next copy counts events down. `near`: the copy was
// left because a sample may be due.
inline void follow_samples(Core& core, bool near) {
  if (!core.samples_ahead || !core.thread->collected) return;
  if (!core.sampling && !near) return;
  if (!core.sampling) count_frequent_events(core);
  restart_frequent_events(core);
  core.sampling = near && core.tick + 2 * core.slots_ahead > core.sample_tick;
}

}  // namespace hm::soft::direct
