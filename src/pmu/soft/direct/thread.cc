// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/thread.h"

#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/lock.h"
#include "pmu/soft/direct/memory.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kEngineStackBytes = 64u << 10;
constexpr int kReadWrite = 3;

constinit Lock g_lock;
Thread* g_free;  // linked through Thread::core

}  // namespace

Thread* new_thread() {
  Guard guard(g_lock);
  Thread* thread = g_free;
  if (thread != nullptr) {
    g_free = reinterpret_cast<Thread*>(thread->core);
    uint64_t stack = thread->engine_stack;
    *thread = Thread{};
    thread->engine_stack = stack;
    return thread;
  }
  auto* stack = static_cast<char*>(map_pages(kEngineStackBytes, kReadWrite));
  thread = take<Thread>();
  if (stack == nullptr || thread == nullptr) return nullptr;
  *thread = Thread{};
  thread->engine_stack = reinterpret_cast<uint64_t>(stack + kEngineStackBytes);
  return thread;
}

void free_thread(Thread* thread) {
  Guard guard(g_lock);
  thread->core = reinterpret_cast<Core*>(g_free);
  g_free = thread;
}

void reset_locks_of_threads() { g_lock.reset(); }

void begin_thread(Thread& thread) {
  thread.pid = static_cast<uint32_t>(system_call(kSysGetpid));
  thread.tid = static_cast<uint32_t>(system_call(kSysGettid));
  if (session() == nullptr) return;
  thread.counters.configure(*session());
  Guard guard(g_lock);
  if (ring() != nullptr) thread.totals = take_slot(ring()->status(), thread.tid);
}

void end_thread(Thread& thread) {
  if (thread.totals != nullptr) end_slot(*thread.totals);
  thread.totals = nullptr;
}

void settle_turn(Core& core) {
  Thread& thread = *core.thread;
  core.model.tick = core.tick;
  uint64_t slots = (core.tick - core.turn_tick) / 2;
  if (thread.totals != nullptr) {
    thread.turn.add_to(*thread.totals, {slots - core.loads - core.stores, core.loads, core.stores},
                       core.model, thread.counters);
  }
  core.loads = core.stores = 0;
  core.turn_tick = core.tick;
  if (session() == nullptr) return;
  if (session()->stop != 0) thread.counters.stop_sampling();
  thread.turn.begin(core.model, thread.counters);
}

}  // namespace hm::soft::direct
