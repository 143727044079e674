// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/schedule/cores.h"

#include "pmu/soft/direct/core/frequent_events.h"
#include "pmu/soft/direct/core/preempt_signal.h"
#include "pmu/soft/direct/runtime/check.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/direct/schedule/blocked_thread.h"

namespace hm::soft::direct {
namespace {

// Core::owner is the owning thread's address. Its lowest bit is set while the thread has released the core
// around a system call. 0: the core has no owner.
constexpr uintptr_t kReleased = 1;
constexpr uintptr_t kNoOwner = 0;

constexpr uint64_t kQuantumNs = 10000000;

// A thread that does not release its core for this long after a request may be blocked. Reading a page from a
// slow disk takes less time.
constexpr uint64_t kBlockedNs = 100000000;

// Returns the thread that runs on the core; null if none does.
Thread* running_thread(const Core& core) {
  uintptr_t owner = __atomic_load_n(&core.owner, __ATOMIC_SEQ_CST);
  return (owner & kReleased) != 0 ? nullptr : reinterpret_cast<Thread*>(owner);
}

// Requests the thread that runs on the core to release it. Returns false if none runs there.
bool preempt(Core& core) {
  const Thread* thread = running_thread(core);
  if (thread == nullptr) return false;
  send_preempt_request(thread->pid, thread->tid);
  return true;
}

// Checks whether the thread is blocked in a page fault, and marks it if so. A marked thread releases its core
// before the faulting instruction when it receives the next request.
bool mark_if_blocked(Thread& thread) {
  bool is_blocked = is_blocked_in_its_code(thread.tid);
  if (is_blocked) __atomic_store_n(&thread.is_blocked, true, __ATOMIC_SEQ_CST);
  return is_blocked;
}

// Waits longer than a store of another CPU takes to become visible.
void wait_for_stores() { sleep_ns(50'000); }

// Makes the thread check for signals that arrived while it had no core, before copied code continues. A
// request to yield the core has been fulfilled.
void look_for_signals(Core& core) {
  core.thread->signals.yields = false;
  __atomic_store_n(&core.thread->is_blocked, false, __ATOMIC_SEQ_CST);
  core.attention = 1;
}

}  // namespace

bool Cores::is_stopped(const Thread& thread) const {
  uint32_t stopper = __atomic_load_n(&stopper_, __ATOMIC_SEQ_CST);
  bool of_process = thread.pid == __atomic_load_n(&stopper_process_, __ATOMIC_SEQ_CST);
  return stopper != 0 && stopper != thread.tid && of_process;
}

bool Cores::claim(Core& core, uintptr_t from, Thread& thread) {
  uintptr_t expected = from;
  if (!__atomic_compare_exchange_n(&core.owner, &expected, reinterpret_cast<uintptr_t>(&thread), false,
                                   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    return false;
  if (!is_stopped(thread)) return true;
  __atomic_store_n(&core.owner, from, __ATOMIC_SEQ_CST);  // undo: the thread must wait
  return false;
}

// The next functions return null if there is no core of the kind in their name.

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

// If memory does not suffice for another core, limits their number to the current one.
Core* Cores::make_one_more(Thread& thread) {
  Guard guard(lock_);
  if (count_ >= most_) return nullptr;
  if (count_ != 0) lock_models();
  Core* core = make_core();
  if (core == nullptr) {
    most_ = count_;
    max_extra_ = 0;
    return nullptr;
  }
  cores_[count_] = core;
  __atomic_store_n(&count_, count_ + 1, __ATOMIC_SEQ_CST);
  return claim(*core, kNoOwner, thread) ? core : nullptr;
}

void Cores::lock_models() {
  if (built_shared_) shared_.expect_more_cores(wait_for_stores);
}

// Claims a core that its thread has released around a system call.
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
  if (count < __atomic_load_n(&most_, __ATOMIC_RELAXED)) {
    if (Core* core = make_one_more(thread)) return core;
  }
  return claim_released(thread, count);
}

void Cores::preempt_one() {
  Guard guard(request_lock_);
  uint32_t count = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
  Core& core = *cores_[__atomic_fetch_add(&preempted_, 1, __ATOMIC_RELAXED) % count];
  Thread* thread = running_thread(core);
  if (thread != nullptr && !may_have_more()) mark_if_blocked(*thread);
  preempt(core);
}

bool Cores::preempt_all() {
  Guard guard(request_lock_);
  bool any = false;
  uint32_t count = __atomic_load_n(&count_, __ATOMIC_SEQ_CST);
  for (uint32_t i = 0; i < count; ++i) any |= preempt(*cores_[i]);
  return any;
}

// Skips threads of a child process that shares this memory.
bool Cores::preempt_threads_of(uint32_t process) {
  Guard guard(request_lock_);
  bool any = false;
  uint32_t count = __atomic_load_n(&count_, __ATOMIC_SEQ_CST);
  for (uint32_t i = 0; i < count; ++i) {
    const Thread* thread = running_thread(*cores_[i]);
    if (thread != nullptr && thread->pid == process) any |= preempt(*cores_[i]);
  }
  return any;
}

// Called when a core has become free.
void Cores::report_release() {
  if (__atomic_load_n(&stopper_, __ATOMIC_SEQ_CST) != 0) {
    __atomic_fetch_add(&released_, 1, __ATOMIC_SEQ_CST);
    futex_wake(&released_);
  }
  queue_.wake_first();
}

Cores::Running Cores::count_running(bool marks_blocked) {
  Running running{};
  uint32_t count = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; ++i) {
    Thread* thread = running_thread(*cores_[i]);
    if (thread == nullptr) continue;
    ++running.all;
    bool is_blocked = marks_blocked ? mark_if_blocked(*thread) : is_blocked_in_its_code(thread->tid);
    if (is_blocked) ++running.blocked;
  }
  return running;
}

bool Cores::may_have_more() const { return __atomic_load_n(&max_extra_, __ATOMIC_RELAXED) != 0; }

// Blocked threads keep their cores meanwhile. A thread that released its core would no longer wait for its
// page, and whoever provides the page would not be notified. Threads take turns only if no more cores are
// allowed.
void Cores::allow_one_more() {
  Guard guard(lock_);
  if (count_ < most_ || max_extra_ == 0) return;
  __atomic_store_n(&max_extra_, max_extra_ - 1, __ATOMIC_RELAXED);
  __atomic_store_n(&most_, most_ + 1, __ATOMIC_RELAXED);
}

// Waits until the thread, which is in the queue, has a core. The first thread of the queue preempts a running
// thread after a quantum. Cores are preempted in turn, so each thread keeps its core for a number of quanta
// equal to the number of cores.
Core& Cores::wait_for_core(Thread& thread) {
  constexpr uint64_t kTimeoutNs = 1000000000;
  uint64_t quantum_ns = kQuantumNs / __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
  uint64_t preempted_ns = 0, looked_ns = 0;
  bool hurries = false;
  while (true) {
    CoreQueue::begin_look(thread);
    if (!hurries && signal_is_due(thread.signals)) {
      hurries = true;
      queue_.go_first(thread);
      preempt_one();
    }
    bool first = queue_.is_first(thread);
    if (first) {
      if (Core* core = find_core(thread)) return *core;
      uint64_t now_ns = monotonic_ns();
      if (preempted_ns == 0) preempted_ns = looked_ns = now_ns;
      if (now_ns - preempted_ns >= quantum_ns) {
        preempt_one();
        preempted_ns = now_ns;
      }
      if (now_ns - looked_ns >= kBlockedNs) {
        looked_ns = now_ns;
        if (may_have_more() && count_running(false).blocked == __atomic_load_n(&count_, __ATOMIC_RELAXED)) {
          allow_one_more();
          continue;
        }
      }
    }
    CoreQueue::sleep(thread, first ? quantum_ns : kTimeoutNs);
  }
}

// Applies the invalidations of the core's lines that other cores have queued.
void Cores::apply_invalidations(Core& core) {
  check(has_core(*core.thread), "only a core's thread takes from its queue of invalidations");
  if (recording_.session() != nullptr) core.model.machine.apply_invalidations();
}

void Cores::keep_pace(Thread& thread) {
  if (thread.collected) pace_.enter(thread);
}

// Begins the thread's time slice on the core.
Core& Cores::begin_time_slice(Core& core, Thread& thread) {
  check(running_thread(core) == &thread, "a thread owns the core on which its time slice begins");
  check(!thread.is_waiting, "a thread with a core does not wait for one");
  core.thread = &thread;
  core.engine_stack = thread.engine_stack;
  core.context = thread.context;
  core.activation_sp = thread.activation_sp;
  core.loads = core.stores = 0;
  core.branches = {};
  core.slice_tick = core.tick;
  thread.core = &core;
  look_for_signals(core);
  keep_pace(thread);
  apply_invalidations(core);
  if (recording_.session() != nullptr) {
    core.model.machine.run_for(thread.line_holder);
    thread.counters.change_periods(*recording_.session(), core.counts_all);
    thread.time_slice.begin(core.model, thread.counters);
    begin_frequent_events(core);
  }
  system_call(kArchPrctl, kSetGs, pointer_argument(&core));
  return core;
}

void Cores::prepare(uint32_t most, bool keeps_pace, OnShared on_shared) {
  // At most half of the address space is used for the tables; the rest is left to the program.
  constexpr uint64_t kForTables = uint64_t{1} << (kUserAddressBits - 1);
  uint64_t limit = kMaxCores;
  if (in_bursts()) {
    static_assert(BurstPlan::kMaxCores == kForTables / touch_table_bytes(6));
    uint64_t tables =
        kForTables / touch_table_bytes(model::log2_of(recording_.session()->geometry.line_bytes));
    if (tables < limit) limit = tables;
  }
  Guard guard(lock_);
  most_ = most < 1 ? 1 : most > limit ? static_cast<uint32_t>(limit) : most;
  uint64_t further = limit - most_;
  max_extra_ = further < kMaxExtra ? static_cast<uint32_t>(further) : kMaxExtra;
  on_shared_ = on_shared;
  if (keeps_pace) pace_.turn_on(most_ > 1 && recording_.session()->models == Models::kAll);
}

Core& Cores::take(Thread& thread) {
  if (queue_.empty()) {
    if (Core* core = find_core(thread)) return begin_time_slice(*core, thread);
  }
  pace_.leave(thread);
  queue_.join(thread);
  Core& core = wait_for_core(thread);
  queue_.leave(thread);  // there may be a core for the next thread, too
  return begin_time_slice(core, thread);
}

void Cores::release(Core& core, bool waits) {
  Thread& thread = *core.thread;
  check(running_thread(core) == &thread, "a thread owns the core that it releases");
  if (waits) pace_.leave(core);
  threads_.settle_time_slice(core);
  thread.context = core.context;
  __atomic_store_n(&core.owner, reinterpret_cast<uintptr_t>(&thread) | kReleased, __ATOMIC_RELEASE);
  report_release();
}

Core& Cores::reacquire(Thread& thread) {
  Core& core = *thread.core;
  if (claim(core, reinterpret_cast<uintptr_t>(&thread) | kReleased, thread)) {
    core.context = thread.context;
    look_for_signals(core);
    begin_frequent_events(core);
    keep_pace(thread);
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

void Cores::follow_mode(Core& core) {
  Thread& thread = *core.thread;
  thread.collected ? keep_pace(thread) : pace_.leave(thread);
}

void Cores::free_core_of(Thread& thread) {
  check(thread.core != nullptr, "a thread whose core is freed has had one");
  Core& core = *thread.core;
  uintptr_t owner = __atomic_load_n(&core.owner, __ATOMIC_ACQUIRE);
  if ((owner & ~kReleased) == reinterpret_cast<uintptr_t>(&thread))
    __atomic_compare_exchange_n(&core.owner, &owner, kNoOwner, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  check(!has_core(thread), "a thread whose core is freed has no core");
  queue_.leave(thread);  // in case it was killed while it waited
  pace_.leave(thread);
  report_release();
}

bool Cores::stop_other_threads(Thread& thread) {
  constexpr uint64_t kTimeoutNs = 1000000000, kLookNs = 1000000;
  constexpr uint32_t kMaxLooks = 20;
  uint32_t looks = 0;
  if (has_core(thread)) release(*thread.core);
  for (uint32_t stopper = 0; !__atomic_compare_exchange_n(&stopper_, &stopper, thread.tid, false,
                                                          __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
       stopper = 0)
    futex_wait(&stopper_, stopper, kTimeoutNs);
  __atomic_store_n(&stopper_process_, thread.pid, __ATOMIC_SEQ_CST);
  uint64_t start_ns = monotonic_ns(), waited_ns = 0;
  bool anybody = true;
  while (waited_ns <= kTimeoutNs) {
    uint32_t seen = __atomic_load_n(&released_, __ATOMIC_SEQ_CST);
    anybody = preempt_threads_of(thread.pid);
    if (!anybody) break;
    if (waited_ns >= kBlockedNs) {
      Running running = count_running(true);
      if (running.blocked == running.all && ++looks == kMaxLooks) break;
    }
    futex_wait(&released_, seen, kLookNs);
    waited_ns = monotonic_ns() - start_ns;
  }
  return !anybody;
}

void Cores::resume_other_threads() {
  __atomic_store_n(&stopper_, 0u, __ATOMIC_SEQ_CST);
  futex_wake(&stopper_);
  report_release();
}

void Cores::keep_only(Core& core, const Thread& thread) {
  Guard guard(lock_);
  queue_.forget_all();
  pace_.keep_none();
  stopper_ = 0;
  if (built_shared_) shared_.end_requests();
  for (uint32_t i = 0; i < count_; ++i) {
    uintptr_t owner = cores_[i]->owner;
    bool is_kept = cores_[i] == &core && owner == (reinterpret_cast<uintptr_t>(&thread) | kReleased);
    bool was_in_use = owner != kNoOwner && (owner & kReleased) == 0;
    if (was_in_use) begin_anew(*cores_[i]);
    if (!is_kept) cores_[i]->owner = kNoOwner;
  }
}

}  // namespace hm::soft::direct
