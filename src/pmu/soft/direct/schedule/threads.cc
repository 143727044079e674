// SPDX-License-Identifier: MIT

#include "pmu/soft/direct/schedule/threads.h"

#include "pmu/soft/direct/core/frequent_events.h"
#include "pmu/soft/direct/runtime/check.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

void put_stacks(Thread& thread, uint64_t block) {
  thread.signal_stack = block;
  thread.engine_stack = block + kThreadBlockBytes;
  *reinterpret_cast<SignalStackMark*>(block) = {reinterpret_cast<uint64_t>(&thread), block ^ kSignalStackTag};
}

bool has_ended(const Thread& thread) {
  constexpr int64_t kNoSuchProcess = -3;
  return system_call(kTgkill, system_call(kSysGetpid), thread.tid, 0) == kNoSuchProcess;
}

Thread* begin_anew(Thread* thread) {
  uint64_t block = thread->signal_stack;
  SignalActions* actions = thread->signals.own_actions;
  __builtin_memset(static_cast<void*>(thread), 0, sizeof(Thread));
  put_stacks(*thread, block);
  thread->signals.own_actions = actions;
  return thread;
}

// Removes the first suitable thread from the list and returns it; null if there is none.
template <typename Suits>
Thread* take(Thread*& list, Suits suits) {
  for (Thread** place = &list; *place != nullptr; place = &(*place)->next_free) {
    Thread* thread = *place;
    if (!suits(*thread)) continue;
    *place = thread->next_free;
    return thread;
  }
  return nullptr;
}

}  // namespace

namespace {

// Returns true if the difference of two counters is not negative.
bool is_sum(uint64_t difference) { return static_cast<int64_t>(difference) >= 0; }

// Fails if a counter has gone backwards since the time slice began.
void check_time_slice(const Core& core, const FrequentEvents& frequent) {
  if (!is_checking()) return;
  const Thread& thread = *core.thread;
  check(is_sum(thread.time_slice.cycles(core.model, core.tick)), "a core's cycles do not go backwards");
  for (unsigned i = 0; i < kEventCount; ++i) {
    uint64_t count = thread.time_slice.count(static_cast<EventId>(i), frequent, thread.counters);
    check(is_sum(count), "a thread's event counters do not go backwards");
  }
}

}  // namespace

Thread* Threads::take_free() {
  return take(free_,
              [](const Thread& each) { return __atomic_load_n(&each.stack_in_use, __ATOMIC_ACQUIRE) == 0; });
}

void Threads::note_left(Thread& thread) {
  Guard guard(lock_);
  Thread*& first = left_[thread.tid % kLeftLists];
  thread.next_free = first;
  first = &thread;
}

bool Threads::has_left(uint32_t tid) {
  Guard guard(lock_);
  for (const Thread* each = left_[tid % kLeftLists]; each != nullptr; each = each->next_free) {
    if (each->tid == tid) return true;
  }
  return false;
}

Thread* Threads::make_arriving(uint32_t tid) {
  {
    Guard guard(lock_);
    Thread*& left = left_[tid % kLeftLists];
    if (Thread* thread = take(left, [&](const Thread& each) { return each.tid == tid; }))
      return begin_anew(thread);
    if (Thread* thread = take(left, has_ended)) return begin_anew(thread);
  }
  return make();
}

// No other stacks are in the engine's area.
Thread* thread_of_engine_stack() {
  auto sp = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  if (sp < kOwnArea.begin || sp >= kOwnArea.begin + kOwnArea.bytes) return nullptr;
  uint64_t block = sp & ~(kThreadBlockBytes - 1);
  const auto& mark = *reinterpret_cast<const SignalStackMark*>(block);
  return mark.tag == (block ^ kSignalStackTag) ? reinterpret_cast<Thread*>(mark.thread) : nullptr;
}

bool has_core(const Thread& thread) {
  const Core* core = thread.core;
  return core != nullptr &&
         __atomic_load_n(&core->owner, __ATOMIC_ACQUIRE) == reinterpret_cast<uintptr_t>(&thread);
}

Thread* Threads::make() {
  Guard guard(lock_);
  Thread* thread = take_free();
  if (thread != nullptr) return begin_anew(thread);
  auto mapped = reinterpret_cast<uint64_t>(map_pages(2 * kThreadBlockBytes, kReadWrite));
  thread = take<Thread>();
  if (mapped == 0 || thread == nullptr) return nullptr;
  put_stacks(*thread, (mapped + kThreadBlockBytes - 1) & ~(kThreadBlockBytes - 1));
  return thread;
}

void Threads::free(Thread* thread) {
  Guard guard(lock_);
  thread->next_free = free_;
  free_ = thread;
}

void Threads::begin(Thread& thread) {
  thread.pid = static_cast<uint32_t>(system_call(kSysGetpid));
  thread.tid = static_cast<uint32_t>(system_call(kSysGettid));
  if (recording_.session() == nullptr) return;
  if (thread.allocator_calls.stack_begin == 0)  // a forked child's thread continues with its calls
    thread.allocator_calls.stack_begin = thread.context.registers[kSp];
  thread.counters.configure(*recording_.session());
  Guard guard(lock_);
  thread.line_holder = cache_.begin_thread(thread.pid, thread.tid);
  if (recording_.ring() != nullptr) thread.totals = take_slot(recording_.ring()->status(), thread.tid);
}

void Threads::end(Thread& thread) {
  if (thread.totals != nullptr) end_slot(*thread.totals);
  thread.totals = nullptr;
  cache_.end_thread(thread.line_holder);
}

void Threads::settle_if_due(Core& core) {
  if (core.thread->collected && core.tick - core.slice_tick > kMaxTicksUnsettled) settle_time_slice(core);
}

void Threads::settle_time_slice(Core& core) {
  Thread& thread = *core.thread;
  core.model.tick = core.tick;
  if (core.samples_ahead && !core.sampling) count_frequent_events(core);
  check(core.tick >= core.slice_tick, "a core's tick does not go backwards");
  uint64_t slots = (core.tick - core.slice_tick) / 2;
  check(slots >= core.loads + core.stores, "a time slice has a slot for each of its accesses");
  if (thread.totals != nullptr) add_total(thread.totals->slots, slots);
  bool in_bursts = recording_.session() != nullptr && recording_.session()->bursts.slots != 0;
  FrequentEvents frequent{slots - core.loads - core.stores, core.loads, core.stores};
  frequent.take_waits(core.model);  // also of a thread without totals: they are not the next one's
  check_time_slice(core, frequent);
  if (thread.totals != nullptr && !core.between_bursts) {
    const auto add_to = [&](Counted& sums) {
      add_total(sums.slots, slots);
      thread.time_slice.add_to(sums, frequent, core.model, thread.counters);
    };
    add_to(thread.totals->counted);
    if (core.counts_all) add_to(thread.totals->exact);
    if (in_bursts) add_to(core.burst);
  }
  if (recording_.ring() != nullptr) core.model.settle_sizes(recording_.ring()->status(), in_bursts);
  core.loads = core.stores = 0;
  core.slice_tick = core.tick;
  if (recording_.session() == nullptr) return;
  if (recording_.session()->stop != 0) thread.counters.stop_sampling();
  thread.time_slice.begin(core.model, thread.counters);
  if (core.samples_ahead) restart_frequent_events(core);
}

}  // namespace hm::soft::direct
