// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/thread.h"

#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/lock.h"
#include "pmu/soft/direct/memory.h"
#include "pmu/soft/direct/session_cache.h"

namespace hm::soft::direct {
namespace {

constinit Lock g_lock;
Thread* g_free;

Thread* take_free() {
  for (Thread** place = &g_free; *place != nullptr; place = &(*place)->next_free) {
    Thread* thread = *place;
    if (__atomic_load_n(&thread->stack_in_use, __ATOMIC_ACQUIRE) != 0) continue;
    *place = thread->next_free;
    return thread;
  }
  return nullptr;
}

void put_stacks(Thread& thread, uint64_t block) {
  thread.signal_stack = block;
  thread.engine_stack = block + kThreadBlockBytes;
  *reinterpret_cast<Thread**>(block) = &thread;
}

}  // namespace

Thread* new_thread() {
  Guard guard(g_lock);
  Thread* thread = take_free();
  if (thread != nullptr) {
    uint64_t block = thread->signal_stack;
    __builtin_memset(static_cast<void*>(thread), 0, sizeof(Thread));
    put_stacks(*thread, block);
    return thread;
  }
  auto mapped = reinterpret_cast<uint64_t>(map_pages(2 * kThreadBlockBytes, kReadWrite));
  thread = take<Thread>();
  if (mapped == 0 || thread == nullptr) return nullptr;
  put_stacks(*thread, (mapped + kThreadBlockBytes - 1) & ~(kThreadBlockBytes - 1));
  return thread;
}

void free_thread(Thread* thread) {
  Guard guard(g_lock);
  thread->next_free = g_free;
  g_free = thread;
}

void reset_locks_of_threads() { g_lock.reset(); }

void begin_thread(Thread& thread) {
  thread.pid = static_cast<uint32_t>(system_call(kSysGetpid));
  thread.tid = static_cast<uint32_t>(system_call(kSysGettid));
  if (session() == nullptr) return;
  if (thread.allocator_calls.stack_begin == 0)  // a forked child's thread goes on
    thread.allocator_calls.stack_begin = thread.context.registers[kSp];
  thread.counters.configure(*session());
  Guard guard(g_lock);
  thread.line_holder = begin_holding_lines(thread.pid, thread.tid);
  if (ring() != nullptr) thread.totals = take_slot(ring()->status(), thread.tid);
}

void end_thread(Thread& thread) {
  if (thread.totals != nullptr) end_slot(*thread.totals);
  thread.totals = nullptr;
  end_holding_lines(thread.line_holder);
}

void settle_time_slice(Core& core) {
  Thread& thread = *core.thread;
  core.model.tick = core.tick;
  uint64_t slots = (core.tick - core.slice_tick) / 2;
  if (thread.totals != nullptr) {
    thread.time_slice.add_to(*thread.totals, {slots - core.loads - core.stores, core.loads, core.stores},
                             core.model, thread.counters);
  }
  if (ring() != nullptr) core.model.settle_sizes(ring()->status());
  core.loads = core.stores = 0;
  core.slice_tick = core.tick;
  if (session() == nullptr) return;
  if (session()->stop != 0) thread.counters.stop_sampling();
  thread.time_slice.begin(core.model, thread.counters);
}

}  // namespace hm::soft::direct
