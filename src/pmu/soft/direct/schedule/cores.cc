// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/schedule/cores.h"

#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

// Core::owner is the owning thread's address; its lowest bit is set while the thread has released the core
// around a system call. 0: nobody owns the core.
constexpr uintptr_t kReleased = 1;
constexpr uintptr_t kNoOwner = 0;

constexpr uint64_t kQuantumNs = 10000000;

// Asks the thread that runs on the core to release it; false where none runs there.
bool preempt(Core& core) {
  uintptr_t owner = __atomic_load_n(&core.owner, __ATOMIC_SEQ_CST);
  if (owner == kNoOwner || (owner & kReleased) != 0) return false;
  const auto* thread = reinterpret_cast<const Thread*>(owner);
  system_call(kTgkill, thread->pid, thread->tid, kPreempt);
  return true;
}

// Signals that arrived while the thread had no core are looked at before copied code continues. A request to
// yield the core has been fulfilled.
void look_for_signals(Core& core) {
  core.thread->signals.yields = false;
  core.attention = 1;
}

}  // namespace

bool has_core(const Thread& thread) {
  const Core* core = thread.core;
  return core != nullptr &&
         __atomic_load_n(&core->owner, __ATOMIC_ACQUIRE) == reinterpret_cast<uintptr_t>(&thread);
}

bool Cores::is_stopped(const Thread& thread) const {
  uint32_t stopper = __atomic_load_n(&stopper_, __ATOMIC_SEQ_CST);
  return stopper != 0 && stopper != thread.tid;
}

bool Cores::claim(Core& core, uintptr_t from, Thread& thread) {
  uintptr_t expected = from;
  if (!__atomic_compare_exchange_n(&core.owner, &expected, reinterpret_cast<uintptr_t>(&thread), false,
                                   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    return false;
  if (!is_stopped(thread)) return true;
  __atomic_store_n(&core.owner, from, __ATOMIC_SEQ_CST);  // undone: the thread is to wait
  return false;
}

// The next functions return null where there is no such core.

Core* Cores::claim_free(Thread& thread, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (claim(*cores_[i], kNoOwner, thread)) return cores_[i];
  }
  return nullptr;
}

bool Cores::make_first() {
  Guard guard(lock_);
  if (count_ != 0) return true;
  cores_[0] = make_core();
  if (cores_[0] == nullptr) return false;
  __atomic_store_n(&count_, 1, __ATOMIC_SEQ_CST);
  return true;
}

// Where memory does not suffice for another core, their number is limited to what there is now.
Core* Cores::make_one_more(Thread& thread) {
  Guard guard(lock_);
  if (count_ >= most_) return nullptr;
  // With one core nothing that cores share is locked: that core must not run while a second one is added.
  bool is_second = count_ == 1 && recording_.session() != nullptr;
  bool stopped = !is_second || stop_other_threads(thread);
  Core* core = stopped ? make_core() : nullptr;
  if (is_second) resume_other_threads();
  if (!stopped) return nullptr;
  if (core == nullptr) {
    most_ = count_;
    return nullptr;
  }
  cores_[count_] = core;
  __atomic_store_n(&count_, count_ + 1, __ATOMIC_SEQ_CST);
  return claim(*core, kNoOwner, thread) ? core : nullptr;
}

// A core that its thread has released around a system call.
Core* Cores::claim_released(Thread& thread, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    uintptr_t owner = __atomic_load_n(&cores_[i]->owner, __ATOMIC_ACQUIRE);
    if ((owner & kReleased) != 0 && claim(*cores_[i], owner, thread)) return cores_[i];
  }
  return nullptr;
}

bool Cores::in_bursts() const {
  return recording_.session() != nullptr && recording_.session()->bursts.slots != 0;
}

Core* Cores::find_core(Thread& thread) {
  if (is_stopped(thread)) return nullptr;
  uint32_t count = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
  if (Core* core = claim_free(thread, count)) return core;
  if (count < most_) {
    if (Core* core = make_one_more(thread)) return core;
  }
  return claim_released(thread, count);
}

void Cores::preempt_one() {
  Guard guard(request_lock_);
  uint32_t count = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
  preempt(*cores_[__atomic_fetch_add(&preempted_, 1, __ATOMIC_RELAXED) % count]);
}

bool Cores::preempt_all() {
  Guard guard(request_lock_);
  bool any = false;
  uint32_t count = __atomic_load_n(&count_, __ATOMIC_SEQ_CST);
  for (uint32_t i = 0; i < count; ++i) any |= preempt(*cores_[i]);
  return any;
}

void Cores::wake_waiting_threads() {
  if (__atomic_load_n(&waiting_, __ATOMIC_SEQ_CST) == 0) return;
  __atomic_fetch_add(&released_, 1, __ATOMIC_SEQ_CST);
  futex_wake(&released_);
}

// Waits until the thread, which is in the queue, has a core. The first thread of the queue preempts a running
// one after a quantum: cores are preempted in turn, so each thread keeps its core for as many quanta as there
// are cores. The other threads of the queue are woken when one of them becomes the first.
Core& Cores::wait_for_core(Thread& thread) {
  constexpr uint64_t kPatienceNs = 100000000;
  uint64_t quantum_ns = kQuantumNs / __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
  uint64_t first_since_ns = 0;
  bool hurries = false;
  while (true) {
    uint32_t seen = __atomic_load_n(&released_, __ATOMIC_SEQ_CST);
    if (!hurries && signal_is_due(thread.signals)) {
      hurries = true;
      queue_.go_first(thread);
      preempt_one();
    }
    bool first = queue_.is_first(thread);
    if (first) {
      if (Core* core = find_core(thread)) return *core;
      uint64_t now_ns = monotonic_ns();
      if (first_since_ns == 0) first_since_ns = now_ns;
      if (now_ns - first_since_ns >= quantum_ns) {
        preempt_one();
        first_since_ns = now_ns;
      }
    }
    futex_wait(&released_, seen, first ? quantum_ns : kPatienceNs);
  }
}

// Likewise the invalidations that others have queued for the core's lines.
void Cores::apply_invalidations(Core& core) {
  if (recording_.session() != nullptr) core.model.machine.apply_invalidations();
}

// Begins the thread's time slice on the core.
Core& Cores::begin_time_slice(Core& core, Thread& thread) {
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
  if (recording_.session() != nullptr) {
    core.model.machine.run_for(thread.line_holder);
    thread.counters.change_periods(*recording_.session(), core.counts_all);
    thread.time_slice.begin(core.model, thread.counters);
  }
  system_call(kArchPrctl, kSetGs, pointer_argument(&core));
  return core;
}

void Cores::prepare(uint32_t most, OnShared on_shared) {
  // Half of the address space is left to the program.
  constexpr uint64_t kForTables = uint64_t{1} << (kUserAddressBits - 1);
  uint64_t limit = kMostCores;
  if (in_bursts()) {
    uint64_t tables =
        kForTables / touch_table_bytes(model::log2_of(recording_.session()->geometry.line_bytes));
    if (tables < limit) limit = tables;
  }
  most_ = most < 1 ? 1 : most > limit ? static_cast<uint32_t>(limit) : most;
  on_shared_ = on_shared;
}

Core& Cores::take(Thread& thread) {
  if (queue_.empty()) {
    if (Core* core = find_core(thread)) return begin_time_slice(*core, thread);
  }
  queue_.join(thread);
  __atomic_fetch_add(&waiting_, 1, __ATOMIC_SEQ_CST);
  Core& core = wait_for_core(thread);
  __atomic_fetch_sub(&waiting_, 1, __ATOMIC_SEQ_CST);
  queue_.leave(thread);
  wake_waiting_threads();  // there may be one for the next, too
  return begin_time_slice(core, thread);
}

void Cores::release(Core& core) {
  Thread& thread = *core.thread;
  threads_.settle_time_slice(core);
  thread.context = core.context;
  __atomic_store_n(&core.owner, reinterpret_cast<uintptr_t>(&thread) | kReleased, __ATOMIC_RELEASE);
  wake_waiting_threads();
}

Core& Cores::reacquire(Thread& thread) {
  Core& core = *thread.core;
  if (claim(core, reinterpret_cast<uintptr_t>(&thread) | kReleased, thread)) {
    core.context = thread.context;
    look_for_signals(core);
    apply_invalidations(core);
    return core;
  }
  return take(thread);
}

Core& Cores::yield(Core& core) {
  Thread& thread = *core.thread;
  thread.signals.yields = false;
  if (queue_.empty() && !is_stopped(thread)) return core;
  release(core);
  return take(thread);
}

void Cores::free_core_of(Thread& thread) {
  Core& core = *thread.core;
  uintptr_t owner = __atomic_load_n(&core.owner, __ATOMIC_ACQUIRE);
  if ((owner & ~kReleased) == reinterpret_cast<uintptr_t>(&thread))
    __atomic_compare_exchange_n(&core.owner, &owner, kNoOwner, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  queue_.leave(thread);  // where it was killed while it waited
  wake_waiting_threads();
}

bool Cores::stop_other_threads(Thread& thread) {
  constexpr uint64_t kPatienceNs = 1000000000, kLookNs = 1000000;
  if (has_core(thread)) release(*thread.core);
  for (uint32_t stopper = 0; !__atomic_compare_exchange_n(&stopper_, &stopper, thread.tid, false,
                                                          __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
       stopper = 0)
    futex_wait(&stopper_, stopper, kPatienceNs);
  uint64_t start = monotonic_ns();
  bool anybody = true;
  __atomic_fetch_add(&waiting_, 1, __ATOMIC_SEQ_CST);
  while (monotonic_ns() - start <= kPatienceNs) {
    uint32_t seen = __atomic_load_n(&released_, __ATOMIC_SEQ_CST);
    anybody = preempt_all();
    if (!anybody) break;
    futex_wait(&released_, seen, kLookNs);
  }
  __atomic_fetch_sub(&waiting_, 1, __ATOMIC_SEQ_CST);
  return !anybody;
}

void Cores::resume_other_threads() {
  __atomic_store_n(&stopper_, 0u, __ATOMIC_SEQ_CST);
  futex_wake(&stopper_);
  wake_waiting_threads();
}

void Cores::lock_models_for_fork() {
  if (built_shared_) shared_.lock_for_fork();
}

void Cores::unlock_models_after_fork(bool in_child) {
  if (!built_shared_) return;
  in_child ? shared_.reset_locks() : shared_.unlock_after_fork();
}

void Cores::keep_only(Core& core, const Thread& thread) {
  lock_.reset();
  request_lock_.reset();
  queue_.reset();
  waiting_ = stopper_ = 0;
  for (uint32_t i = 0; i < count_; ++i) {
    bool is_kept = cores_[i] == &core && core.owner == (reinterpret_cast<uintptr_t>(&thread) | kReleased);
    if (!is_kept) cores_[i]->owner = kNoOwner;
  }
}

}  // namespace hm::soft::direct
