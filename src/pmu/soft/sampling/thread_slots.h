// SPDX-License-Identifier: MIT
// The table of threads' totals in a ring (ring/session_layout.h). Freestanding.
//
// Slots are taken by one thread at a time, under the engine's lock; each is then written by its own thread
// alone. The recorder reads them all at any time, and frees those of threads that have ended.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {

// Takes a slot for a thread that begins; null if all are taken, or there is no memory for more.
inline ThreadTotals* take_slot(RingStatus& status, uint32_t tid) {
  for (uint32_t i = 0; i < kMaxThreads; ++i) {
    ThreadTotals& slot = status.threads[i];
    bool is_first_of_more = i >= kFirstThreads && i >= status.thread_slots;
    if (is_first_of_more && !populate_mapping(&slot, sizeof(slot))) return nullptr;
    if (__atomic_load_n(&slot.tid, __ATOMIC_ACQUIRE) != 0) continue;
    slot.started_ns = monotonic_ns();
    slot.ended_ns = slot.slots = 0;
    slot.counted = slot.exact = {};
    if (i >= status.thread_slots) __atomic_store_n(&status.thread_slots, i + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&slot.tid, tid, __ATOMIC_RELEASE);
    return &slot;
  }
  return nullptr;
}

// The thread has ended: from now on the slot may be given to another.
inline void end_slot(ThreadTotals& slot) {
  slot.ended_ns = monotonic_ns();
  __atomic_store_n(&slot.exited, 1u, __ATOMIC_RELEASE);
}

// Adds to one of a slot's totals.
inline void add_total(uint64_t& total, uint64_t more) {
  __atomic_store_n(&total, total + more, __ATOMIC_RELAXED);
}

}  // namespace hm::soft
