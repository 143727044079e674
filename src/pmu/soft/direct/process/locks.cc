// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/process/locks.h"
#include "base/thread_safety.h"

#include "pmu/soft/direct/process/process.h"

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
  process.threads.for_each_lock(visit);
  process.cores.for_each_inner_lock(visit);
  process.code_pages.for_each_lock(visit);
  process.recording.for_each_lock(visit);
  process.runtime.for_each_lock(visit);
}

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

}  // namespace hm::soft::direct
