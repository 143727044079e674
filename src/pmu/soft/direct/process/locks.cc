// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/process/locks.h"
#include "base/thread_safety.h"

#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/check.h"

namespace hm::soft::direct {
namespace {

// Calls visit(lock) for each lock. If a lock is held while another one is taken, it comes before the other
// one. tests/style/locks.py finds locks that are missing here.
template <typename Visit>
void for_each_lock(Visit visit) {
  Process& process = g_process;
  process.cores.for_each_outer_lock(visit);
  process.unused_lines.for_each_lock(visit);
  process.rings.for_each_lock(visit);
  process.bursts.for_each_lock(visit);
  process.heap.for_each_outer_lock(visit);
  process.copies.for_each_lock(visit);
  process.heap.for_each_inner_lock(visit);
  process.cores.for_each_inner_lock(visit);
  process.threads.for_each_lock(visit);
  process.code_pages.for_each_lock(visit);
  process.recording.for_each_lock(visit);
  process.runtime.for_each_lock(visit);
}

// Gives the next position to a lock of the engine, and none to a lock of the models.
void give_position(Lock& lock, uint32_t& last) { lock.check_order(++last); }
template <typename OfModels>
void give_position(OfModels&, uint32_t&) {}

}  // namespace

void lock_all() {
  for_each_lock([](auto& lock) HM_UNCHECKED_LOCKS { lock.lock(); });
}

void unlock_all() {
  for_each_lock([](auto& lock) HM_UNCHECKED_LOCKS { lock.unlock(); });
}

void reset_all_locks() {
  for_each_lock([](auto& lock) { lock.reset(); });
}

bool holds_all_locks() {
  const HeldLocks* held = held_locks();
  return held == nullptr || held->count() == g_process.runtime.checked_locks;
}

void check_order_of_locks() {
  uint32_t last = 0;
  for_each_lock([&](auto& lock) { give_position(lock, last); });
  g_process.runtime.checked_locks = last;
  check(last <= HeldLocks::kMaxPosition, "each lock has a position in the order of locks");
}

}  // namespace hm::soft::direct
