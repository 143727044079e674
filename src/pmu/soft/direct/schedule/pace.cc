// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/schedule/pace.h"

#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/runtime/check.h"
#include "pmu/soft/direct/schedule/blocked_thread.h"
#include "pmu/soft/direct/schedule/threads.h"
#include "pmu/soft/sampling/run_time.h"

namespace hm::soft::direct {
namespace {

// After kLookNs, a waiting thread checks whether a thread that has not arrived is blocked, for example in a
// page fault. After kTimeoutNs, the others no longer wait for a thread in any case. The host may take a
// thread's CPU away for a while.
constexpr uint64_t kLookNs = 10000000, kTimeoutNs = 1000000000;

// Other threads arrive within microseconds if each has a CPU of the host.
constexpr uint32_t kSpins = 200;

bool is_asked(const Core& core) { return __atomic_load_n(&core.attention, __ATOMIC_RELAXED) != 0; }

uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

}  // namespace

// Returns null if the run has no time on the modelled machine.
Session* Pace::timed_session() const {
  Session* session = recording_.session();
  return session != nullptr && has_run_time(*session) ? session : nullptr;
}

// For a core that its thread has just received, or that begins a window: advances its time to the window's
// start.
void Pace::join_time(Core& core) const {
  core.model.idle_until(__atomic_load_n(&window_began_, __ATOMIC_RELAXED), core.tick);
}

// Reports the core's time to the run. Called with the lock held if threads keep pace.
void Pace::report_time(const Core& core) {
  Session* session = timed_session();
  if (session == nullptr) return;
  uint64_t now = core.model.run_cycles_at(core.tick);
  latest_ = later(latest_, now);
  report_run_cycles(*session, now);
}

void Pace::add(Thread& thread) {
  thread.keeps_pace = true;
  thread.window_arrived = 0;
  thread.next_in_pace = first_;
  first_ = &thread;
  ++members_;
}

void Pace::remove(Thread& thread) {
  Thread** place = &first_;
  while (*place != &thread) place = &(*place)->next_in_pace;
  *place = thread.next_in_pace;
  thread.keeps_pace = false;
  if (thread.window_arrived == window_) --arrived_;
  --members_;
  next_window_if_all_arrived();
}

void Pace::enter(Thread& thread) {
  Session* session = timed_session();
  Core* core = has_core(thread) ? thread.core : nullptr;
  if (!is_on()) {
    if (session != nullptr && core != nullptr)
      core->model.idle_until(latest_run_cycles(*session), core->tick);
    return;
  }
  Guard guard(lock_);
  if (!is_on()) return;
  // If no thread was running, this thread has waited for the last one that did, in this process or in
  // another.
  if (members_ == 0 && session != nullptr)
    __atomic_store_n(&window_began_, later(latest_, latest_run_cycles(*session)), __ATOMIC_RELAXED);
  if (!thread.keeps_pace) add(thread);
  if (core != nullptr) join_time(*core);
}

void Pace::leave(const Core& core) {
  if (!is_on()) {
    if (Session* session = timed_session()) report_run_cycles(*session, core.model.run_cycles_at(core.tick));
    return;
  }
  Guard guard(lock_);
  report_time(core);
  if (core.thread->keeps_pace) remove(*core.thread);
}

void Pace::leave(Thread& thread) {
  if (!is_on()) return;
  Guard guard(lock_);
  if (thread.keeps_pace) remove(thread);
}

void Pace::check_members() const {
  if (!is_checking()) return;
  uint32_t members = 0, arrived = 0;
  for (const Thread* each = first_; each != nullptr; each = each->next_in_pace) {
    ++members;
    if (each->window_arrived == window_) ++arrived;
    check(each->keeps_pace, "each thread that keeps pace is marked so");
  }
  check(members == members_ && arrived == arrived_, "the window's threads are counted");
}

// Begins the next window if all threads have arrived. Windows become shorter while lines pass between cores,
// and longer while none does.
void Pace::next_window_if_all_arrived() {
  check_members();
  if (members_ == 0 || arrived_ < members_) return;
  if (transfers_ != 0 && length_ > kShortest) --length_;
  if (transfers_ == 0 && length_ < kLongest) ++length_;
  for (Thread* each = first_; each != nullptr; each = each->next_in_pace) {
    if (each->core != nullptr) each->core->model.machine.seal_invalidations();
  }
  arrived_ = 0;
  transfers_ = 0;
  __atomic_store_n(&window_began_, latest_, __ATOMIC_RELAXED);
  __atomic_store_n(&window_, window_ + 1 == 0 ? 1 : window_ + 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&sleepers_, __ATOMIC_SEQ_CST) != 0) futex_wake(&window_);
}

// Records that the core's thread has run its window, and returns the window's number.
uint32_t Pace::arrive(Core& core) {
  Thread& thread = *core.thread;
  Guard guard(lock_);
  uint32_t window = window_;
  if (!is_on()) return window - 1;
  transfers_ += core.model.machine.take_transfers();
  report_time(core);
  if (!thread.keeps_pace) add(thread);  // it had been left behind
  if (thread.window_arrived != window) {
    thread.window_arrived = window;
    ++arrived_;
  }
  next_window_if_all_arrived();
  return window;
}

// The others stop waiting for threads that are blocked or, if `all`, for all threads that have not arrived. A
// thread takes part again when it arrives.
void Pace::leave_blocked_behind(uint32_t window, bool all) {
  Guard guard(lock_);
  Thread* next = nullptr;
  for (Thread* each = first_; each != nullptr && window_ == window; each = next) {
    next = each->next_in_pace;
    if (each->window_arrived != window && (all || is_blocked_in_its_code(each->tid))) remove(*each);
  }
}

void Pace::sleep(uint32_t window) {
  __atomic_fetch_add(&sleepers_, 1, __ATOMIC_SEQ_CST);
  futex_wait(&window_, window, kLookNs);
  __atomic_fetch_sub(&sleepers_, 1, __ATOMIC_SEQ_CST);
}

// Returns false if the thread has something else to do first.
bool Pace::wait_for_others(Core& core, uint32_t window) {
  for (uint32_t i = 0; i < kSpins && this->window() == window; ++i) __builtin_ia32_pause();
  uint64_t began_ns = this->window() == window ? monotonic_ns() : 0;
  while (this->window() == window) {
    if (is_asked(core)) return false;
    sleep(window);
    uint64_t waited_ns = monotonic_ns() - began_ns;
    if (waited_ns >= kLookNs) leave_blocked_behind(window, waited_ns >= kTimeoutNs);
  }
  return true;
}

void Pace::begin_window(Core& core) {
  check(has_core(*core.thread), "only a core's thread begins the core's window");
  core.window = window();
  join_time(core);
  uint64_t cycles = uint64_t{1} << __atomic_load_n(&length_, __ATOMIC_RELAXED);
  core.window_end = core.model.cycles_at(core.tick) + cycles;
  bool has_others = __atomic_load_n(&members_, __ATOMIC_RELAXED) > 1;
  core.model.machine.defer_invalidations(has_others);
  has_others ? core.model.machine.apply_sealed_invalidations() : core.model.machine.apply_invalidations();
}

// A single core returns now and then, so that its counts are up to date (Threads::settle_if_due).
void Pace::follow_alone(Core& core) {
  core.window_end = UINT64_MAX;
  return_at(core, core.tick + Threads::kMaxTicksUnsettled);
}

void Pace::follow(Core& core) {
  if (is_alone_) follow_alone(core);
  if (__atomic_load_n(&has_ended_, __ATOMIC_RELAXED)) leave_window(core);
  if (!is_on() || !core.thread->collected) return;
  bool has_run = core.window == window() && core.model.cycles_at(core.tick) >= core.window_end;
  if (has_run && !wait_for_others(core, arrive(core))) {
    core.switch_tick = 0;
    return;
  }
  if (core.window != window()) begin_window(core);
  uint64_t now = core.model.cycles_at(core.tick);
  return_at(core, now >= core.window_end ? 0 : core.tick + 2 * (core.window_end - now));
}

// Sets when the core calls again, unless a burst begins or ends before.
void Pace::return_at(Core& core, uint64_t tick) {
  bool switches_before = core.next_switch_tick != 0 && core.next_switch_tick < tick;
  core.switch_tick = switches_before ? core.next_switch_tick : tick;
}

// A window that never ends.
void Pace::leave_window(Core& core) {
  if (core.window_end == UINT64_MAX) return;
  core.window_end = UINT64_MAX;
  core.model.machine.defer_invalidations(false);
  core.model.machine.apply_invalidations();
}

void Pace::end() {
  if (!is_on()) return;
  Guard guard(lock_);
  for (Thread* each = first_; each != nullptr; each = each->next_in_pace) each->keeps_pace = false;
  first_ = nullptr;
  members_ = arrived_ = 0;
  __atomic_store_n(&is_on_, false, __ATOMIC_RELAXED);
  __atomic_store_n(&has_ended_, true, __ATOMIC_RELAXED);
  __atomic_store_n(&window_, window_ + 1 == 0 ? 1 : window_ + 1, __ATOMIC_SEQ_CST);
  futex_wake(&window_);
}

void Pace::keep_none() {
  Guard guard(lock_);
  for (Thread* each = first_; each != nullptr; each = each->next_in_pace) each->keeps_pace = false;
  first_ = nullptr;
  members_ = arrived_ = sleepers_ = 0;
}

}  // namespace hm::soft::direct
