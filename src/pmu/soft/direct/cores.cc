// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/cores.h"

#include "pmu/soft/direct/code_pages.h"
#include "pmu/soft/direct/core_queue.h"
#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/give_up.h"
#include "pmu/soft/direct/lock.h"
#include "pmu/soft/direct/memory.h"
#include "pmu/soft/direct/signal_actions.h"
#include "pmu/soft/direct/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

// Core::owner is the owning thread's address; its lowest bit is set while the thread has released the core
// around a system call. 0: nobody owns the core.
constexpr uintptr_t kReleased = 1;
constexpr uintptr_t kNoOwner = 0;

constexpr uint32_t kMostCores = model::kMostHolders;
constexpr uint64_t kCodePageBytes = 256u << 20;

Core* g_cores[kMostCores];
constinit model::SharedLevels g_shared;
bool g_built_shared;
void (*g_on_shared)(model::SharedLevels& levels);
uint32_t g_count;
uint32_t g_most = 1;
constinit Lock g_lock;
constinit CoreQueue g_queue;
uint32_t g_waiting;    // threads that wait for g_released
uint32_t g_preempted;  // how often a core was asked for
uint32_t g_released;   // a futex: how often a core has become free
uint32_t g_stopper;    // a futex: the id of the thread that has stopped all others; 0: none

uint64_t whole_pages(uint64_t bytes) { return (bytes + 4095) & ~uint64_t{4095}; }

void* more_memory(uint64_t bytes) { return take_bytes(bytes); }

// The levels that cores share, built at the first call; null where there is no memory for them.
model::SharedLevels* shared_levels(const ModelPlan& plan) {
  if (g_built_shared) return &g_shared;
  void* block = map_pages(whole_pages(shared_bytes(plan)), kReadWrite);
  if (block == nullptr) return nullptr;
  g_shared = build_shared(plan, block);
  g_built_shared = true;
  g_on_shared(g_shared);
  return &g_shared;
}

Core* make_core() {
  Session* recording = session();
  ModelPlan plan{};
  if (recording != nullptr)
    plan = {recording->geometry, g_most, recording->classifies_misses != 0, recording->sizes, more_memory};
  model::SharedLevels* shared = recording == nullptr ? nullptr : shared_levels(plan);
  if (recording != nullptr && shared == nullptr) return nullptr;
  uint64_t models = recording == nullptr ? 0 : whole_pages(core_bytes(plan, {}));
  uint64_t pages_offset = kModelsOffset + models;
  auto* block = static_cast<char*>(map_pages(pages_offset + kCodePageBytes, kReadWrite));
  if (block == nullptr) return nullptr;
  auto* core = reinterpret_cast<Core*>(block);
  core->self = core;
#define HM_THUNK(name, function, text) core->thunks[name] = reinterpret_cast<void*>(function);
  HM_THUNKS(HM_THUNK)
#undef HM_THUNK
  core->tick = core->slice_tick = kFirstTick;
  forget_indirect_targets(*core);
  if (recording != nullptr) {
    core->model.tick = kFirstTick;
    core->model.counted_cycles = kFirstTick / 2;
    build_core(core->model, plan, core->filters.tables(kDataOffset, kCodeOffset), *shared,
               block + kModelsOffset);
    add_code_pages(core, {pages_offset, kCodePageBytes});
  }
  return core;
}

bool is_stopped(const Thread& thread) {
  uint32_t stopper = __atomic_load_n(&g_stopper, __ATOMIC_SEQ_CST);
  return stopper != 0 && stopper != thread.tid;
}

bool claim(Core& core, uintptr_t from, Thread& thread) {
  uintptr_t expected = from;
  if (!__atomic_compare_exchange_n(&core.owner, &expected, reinterpret_cast<uintptr_t>(&thread), false,
                                   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    return false;
  if (!is_stopped(thread)) return true;
  __atomic_store_n(&core.owner, from, __ATOMIC_SEQ_CST);  // undone: the thread is to wait
  return false;
}

// The next functions return null where there is no such core.

Core* claim_free(Thread& thread, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (claim(*g_cores[i], kNoOwner, thread)) return g_cores[i];
  }
  return nullptr;
}

// Where memory does not suffice for another core, their number is limited to what there is now.
Core* make_one_more(Thread& thread) {
  Guard guard(g_lock);
  if (g_count >= g_most) return nullptr;
  // With one core nothing that cores share is locked: that core must not run while a second one is added.
  bool is_second = g_count == 1 && session() != nullptr;
  bool stopped = !is_second || stop_other_threads(thread);
  Core* core = stopped ? make_core() : nullptr;
  if (is_second) resume_other_threads();
  if (!stopped) return nullptr;
  if (core == nullptr) {
    if (g_count == 0) give_up("hardmeter: no memory for the modelled core\n");
    g_most = g_count;
    return nullptr;
  }
  g_cores[g_count] = core;
  __atomic_store_n(&g_count, g_count + 1, __ATOMIC_SEQ_CST);
  return claim(*core, kNoOwner, thread) ? core : nullptr;
}

// A core that its thread has released around a system call.
Core* claim_released(Thread& thread, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    uintptr_t owner = __atomic_load_n(&g_cores[i]->owner, __ATOMIC_ACQUIRE);
    if ((owner & kReleased) != 0 && claim(*g_cores[i], owner, thread)) return g_cores[i];
  }
  return nullptr;
}

Core* find_core(Thread& thread) {
  if (is_stopped(thread)) return nullptr;
  uint32_t count = __atomic_load_n(&g_count, __ATOMIC_ACQUIRE);
  if (Core* core = claim_free(thread, count)) return core;
  if (count < g_most) {
    if (Core* core = make_one_more(thread)) return core;
  }
  return claim_released(thread, count);
}

constexpr uint64_t kQuantumNs = 10000000;

// Asks the thread that runs on the core to release it; false where none runs there.
bool preempt(Core& core) {
  uintptr_t owner = __atomic_load_n(&core.owner, __ATOMIC_SEQ_CST);
  if (owner == kNoOwner || (owner & kReleased) != 0) return false;
  const auto* thread = reinterpret_cast<const Thread*>(owner);
  system_call(kTgkill, thread->pid, thread->tid, kPreempt);
  return true;
}

void preempt_one() {
  uint32_t count = __atomic_load_n(&g_count, __ATOMIC_ACQUIRE);
  preempt(*g_cores[__atomic_fetch_add(&g_preempted, 1, __ATOMIC_RELAXED) % count]);
}

bool preempt_all() {
  bool any = false;
  uint32_t count = __atomic_load_n(&g_count, __ATOMIC_SEQ_CST);
  for (uint32_t i = 0; i < count; ++i) any |= preempt(*g_cores[i]);
  return any;
}

void wake_waiting_threads() {
  if (__atomic_load_n(&g_waiting, __ATOMIC_SEQ_CST) == 0) return;
  __atomic_fetch_add(&g_released, 1, __ATOMIC_SEQ_CST);
  futex_wake(&g_released);
}

// Waits until the thread, which is in the queue, has a core. The first thread of the queue preempts a running
// one after a quantum: cores are preempted in turn, so each thread keeps its core for as many quanta as there
// are cores. The other threads of the queue are woken when one of them becomes the first.
Core& wait_for_core(Thread& thread) {
  constexpr uint64_t kPatienceNs = 100000000;
  uint64_t quantum_ns = kQuantumNs / __atomic_load_n(&g_count, __ATOMIC_ACQUIRE);
  uint64_t first_since_ns = 0;
  bool hurries = false;
  while (true) {
    uint32_t seen = __atomic_load_n(&g_released, __ATOMIC_SEQ_CST);
    if (!hurries && signal_is_due(thread)) {
      hurries = true;
      g_queue.go_first(thread);
      preempt_one();
    }
    bool first = g_queue.is_first(thread);
    if (first) {
      if (Core* core = find_core(thread)) return *core;
      uint64_t now_ns = monotonic_ns();
      if (first_since_ns == 0) first_since_ns = now_ns;
      if (now_ns - first_since_ns >= quantum_ns) {
        preempt_one();
        first_since_ns = now_ns;
      }
    }
    futex_wait(&g_released, seen, first ? quantum_ns : kPatienceNs);
  }
}

// Signals that arrived while the thread had no core are looked at before copied code continues. A request to
// yield the core has been fulfilled.
void look_for_signals(Core& core) {
  core.thread->signals.yields = false;
  core.attention = 1;
}

// Likewise the invalidations that others have queued for the core's lines.
void apply_invalidations(Core& core) {
  if (session() != nullptr) core.model.machine.apply_invalidations();
}

// Begins the thread's time slice on the core.
Core& begin_time_slice(Core& core, Thread& thread) {
  core.thread = &thread;
  core.engine_stack = thread.engine_stack;
  core.context = thread.context;
  core.activation_sp = thread.activation_sp;
  core.loads = core.stores = 0;
  core.branches = {};
  core.slice_tick = core.tick;
  thread.core = &core;
  look_for_signals(core);
  apply_invalidations(core);
  if (session() != nullptr) {
    core.model.machine.run_for(thread.line_holder);
    thread.time_slice.begin(core.model, thread.counters);
  }
  system_call(kArchPrctl, kSetGs, pointer_argument(&core));
  return core;
}

}  // namespace

void prepare_cores(uint32_t most, void (*on_shared)(model::SharedLevels& levels)) {
  g_most = most < 1 ? 1 : most > kMostCores ? kMostCores : most;
  g_on_shared = on_shared;
}

Core& take_core(Thread& thread) {
  if (g_queue.empty()) {
    if (Core* core = find_core(thread)) return begin_time_slice(*core, thread);
  }
  g_queue.join(thread);
  __atomic_fetch_add(&g_waiting, 1, __ATOMIC_SEQ_CST);
  Core& core = wait_for_core(thread);
  __atomic_fetch_sub(&g_waiting, 1, __ATOMIC_SEQ_CST);
  g_queue.leave(thread);
  wake_waiting_threads();  // there may be one for the next, too
  return begin_time_slice(core, thread);
}

bool has_core(const Thread& thread) {
  const Core* core = thread.core;
  return core != nullptr &&
         __atomic_load_n(&core->owner, __ATOMIC_ACQUIRE) == reinterpret_cast<uintptr_t>(&thread);
}

void release_core(Core& core) {
  Thread& thread = *core.thread;
  settle_time_slice(core);
  thread.context = core.context;
  __atomic_store_n(&core.owner, reinterpret_cast<uintptr_t>(&thread) | kReleased, __ATOMIC_RELEASE);
  wake_waiting_threads();
}

Core& reacquire_core(Thread& thread) {
  Core& core = *thread.core;
  if (claim(core, reinterpret_cast<uintptr_t>(&thread) | kReleased, thread)) {
    core.context = thread.context;
    look_for_signals(core);
    apply_invalidations(core);
    return core;
  }
  return take_core(thread);
}

Core& yield_core(Core& core) {
  Thread& thread = *core.thread;
  thread.signals.yields = false;
  if (g_queue.empty() && !is_stopped(thread)) return core;
  release_core(core);
  return take_core(thread);
}

void free_core_of(Thread& thread) {
  Core& core = *thread.core;
  uintptr_t owner = __atomic_load_n(&core.owner, __ATOMIC_ACQUIRE);
  if ((owner & ~kReleased) == reinterpret_cast<uintptr_t>(&thread))
    __atomic_compare_exchange_n(&core.owner, &owner, kNoOwner, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  g_queue.leave(thread);  // where it was killed while it waited
  wake_waiting_threads();
}

bool stop_other_threads(Thread& thread) {
  constexpr uint64_t kPatienceNs = 1000000000, kLookNs = 1000000;
  if (has_core(thread)) release_core(*thread.core);
  for (uint32_t stopper = 0; !__atomic_compare_exchange_n(&g_stopper, &stopper, thread.tid, false,
                                                          __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
       stopper = 0)
    futex_wait(&g_stopper, stopper, kPatienceNs);
  uint64_t start = monotonic_ns();
  bool anybody = true;
  __atomic_fetch_add(&g_waiting, 1, __ATOMIC_SEQ_CST);
  while (monotonic_ns() - start <= kPatienceNs) {
    uint32_t seen = __atomic_load_n(&g_released, __ATOMIC_SEQ_CST);
    anybody = preempt_all();
    if (!anybody) break;
    futex_wait(&g_released, seen, kLookNs);
  }
  __atomic_fetch_sub(&g_waiting, 1, __ATOMIC_SEQ_CST);
  return !anybody;
}

void resume_other_threads() {
  __atomic_store_n(&g_stopper, 0u, __ATOMIC_SEQ_CST);
  futex_wake(&g_stopper);
  wake_waiting_threads();
}

void for_each_core(void (*visit)(Core& core, const void* argument), const void* argument) {
  uint32_t count = __atomic_load_n(&g_count, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; ++i) visit(*g_cores[i], argument);
}

model::SharedLevels* shared_models() { return g_built_shared ? &g_shared : nullptr; }

void lock_models_for_fork() {
  if (g_built_shared) g_shared.lock_for_fork();
}

void unlock_models_after_fork(bool in_child) {
  if (!g_built_shared) return;
  in_child ? g_shared.reset_locks() : g_shared.unlock_after_fork();
}

void keep_only(Core& core, const Thread& thread) {
  g_lock.reset();
  g_queue.reset();
  g_waiting = g_stopper = 0;
  for (uint32_t i = 0; i < g_count; ++i) {
    bool is_kept = g_cores[i] == &core && core.owner == (reinterpret_cast<uintptr_t>(&thread) | kReleased);
    if (!is_kept) g_cores[i]->owner = kNoOwner;
  }
}

}  // namespace hm::soft::direct
