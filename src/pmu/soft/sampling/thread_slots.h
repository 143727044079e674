// SPDX-License-Identifier: MIT
// The table of threads' totals in a ring (ring/session_layout.h). Freestanding.
//
// One thread at a time takes a slot, under the engine's lock; only the slot's own thread writes it
// afterwards. The recorder reads all slots at any time, and frees those of ended threads.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {

// Takes the slot for a starting thread. Fails if another thread has it, or no memory is available for it.
inline bool take_slot_at(RingStatus& status, uint32_t number, uint32_t tid) {
  ThreadTotals& slot = status.threads[number];
  bool is_first_of_more = number >= kFirstThreads && number >= status.thread_slots;
  if (is_first_of_more && !populate_mapping(&slot, sizeof(slot))) return false;
  if (__atomic_load_n(&slot.tid, __ATOMIC_ACQUIRE) != 0) return false;
  slot.started_ns = monotonic_ns();
  slot.ended_ns = slot.slots = 0;
  slot.counted = slot.exact = {};
  if (number >= status.thread_slots) __atomic_store_n(&status.thread_slots, number + 1, __ATOMIC_RELEASE);
  __atomic_store_n(&slot.tid, tid, __ATOMIC_RELEASE);
  status.slot_hint = number + 1;
  return true;
}

// Takes a slot for a starting thread; null if all are taken, or no memory is available for more. Tries a few
// of the slots used before, then an unused one: the cost per thread does not grow with the number of threads.
inline ThreadTotals* take_slot(RingStatus& status, uint32_t tid) {
  constexpr uint32_t kFew = 8;
  uint32_t used = status.thread_slots, looks = used < kMaxThreads && used > kFew ? kFew : used;
  for (uint32_t i = 0; i < looks; ++i) {
    uint32_t number = (status.slot_hint + i) % used;
    if (take_slot_at(status, number, tid)) return &status.threads[number];
  }
  if (used != 0) status.slot_hint = (status.slot_hint + looks) % used;
  return used < kMaxThreads && take_slot_at(status, used, tid) ? &status.threads[used] : nullptr;
}

// Marks the thread as ended: the slot may be given to another thread.
inline void end_slot(ThreadTotals& slot) {
  slot.ended_ns = monotonic_ns();
  __atomic_store_n(&slot.exited, 1u, __ATOMIC_RELEASE);
}

// Adds to one of a slot's totals.
inline void add_total(uint64_t& total, uint64_t more) {
  __atomic_store_n(&total, total + more, __ATOMIC_RELAXED);
}

}  // namespace hm::soft
