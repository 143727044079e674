// SPDX-License-Identifier: GPL-2.0-or-later
#include "threads.h"

#include "collection.h"
#include "core_model.h"
#include "heap.h"
#include "pmu/soft/sampling/run_time.h"
#include "pmu/soft/sampling/thread_slots.h"
#include "pmu/soft/sampling/time_slice.h"
#include "process_records.h"
#include "session_link.h"

namespace hm::soft::vg {

constinit Counters g_counters;

namespace {

struct Thread {
  uint32_t kernel_tid = 0;
  ThreadTotals* totals = nullptr;  // null if it has no slot in the ring
  uint32_t line_holder = 0;        // model/session_cache.h
};

// Valgrind numbers threads from 1; the launcher limits the numbers with --max-threads.
constexpr unsigned kMaxThreadIds = kMaxThreads;
Thread g_threads[kMaxThreadIds];
BranchStack g_branch_stacks[kMaxThreadIds];  // of the threads that are not running

ThreadId g_running = VG_INVALID_THREADID;  // the thread that runs or ran last
constinit TimeSlice g_time_slice;
constinit SessionCacheUser g_cache_user;

Thread& thread_of(ThreadId tid) { return g_threads[tid % kMaxThreadIds]; }

void start_thread(ThreadId tid) {
  auto kernel_tid = static_cast<uint32_t>(system_call(kSysGettid));
  auto pid = static_cast<uint32_t>(VG_(getpid)());
  thread_of(tid) = {kernel_tid, ring() == nullptr ? nullptr : take_slot(ring()->status(), kernel_tid),
                    g_cache_user.begin_thread(pid, kernel_tid)};
  g_branch_stacks[tid % kMaxThreadIds].next = 0;
}

// Returns the frequent events of the time slice that began at the tick `began` and ended with the counters
// `hot`.
FrequentEvents frequent_events(const HotCounters& hot, Tick began) {
  uint64_t slots = (hot.tick - began) / 2;
  uint64_t loads = HotCounters::loads(hot.accesses);
  uint64_t stores = HotCounters::stores(hot.accesses);
  return {slots - loads - stores, loads - HotCounters::loads(hot.skipped),
          stores - HotCounters::stores(hot.skipped)};
}

// Lets the core run for the thread.
void switch_to(ThreadId tid) {
  if (g_running != tid) {
    if (g_running != VG_INVALID_THREADID) g_branch_stacks[g_running % kMaxThreadIds] = g_core.branches;
    g_core.branches = g_branch_stacks[tid % kMaxThreadIds];
  }
  g_running = tid;
  g_core.machine.run_for(thread_of(tid).line_holder);
}

}  // namespace

void thread_starts(ThreadId tid) {
  bool main_thread = thread_of(tid).kernel_tid != 0 && g_running == VG_INVALID_THREADID;
  if (main_thread) return;  // reset_threads() has already started it
  start_thread(tid);
  begin_collection(tid);
  begin_allocator_calls(tid);
  record_thread_start(kernel_tid(tid), VG_(get_SP)(tid));
}

void thread_ends(ThreadId tid) {
  Thread& thread = thread_of(tid);
  if (thread.totals != nullptr) end_slot(*thread.totals);
  g_cache_user.end_thread(thread.line_holder);
  record_thread_end(thread.kernel_tid);
  thread = {};
}

void time_slice_begins(ThreadId tid, ULong) {
  HotCounters hot{g_core.tick, 0, 0};
  VG_(set_shadow_regs_area)
  (tid, 1, kTickOffset - sizeof(VexGuestAMD64State), sizeof(hot), reinterpret_cast<const UChar*>(&hot));
  switch_to(tid);
  g_core.idle_until(latest_run_cycles(*session()), g_core.tick);
  load_collection(tid);
  load_allocator_calls(tid);
  g_time_slice.begin(g_core, g_counters);
  if (session()->stop != 0) g_counters.stop_sampling();
}

void time_slice_ends(ThreadId tid, ULong) {
  HotCounters hot;
  VG_(get_shadow_regs_area)
  (tid, reinterpret_cast<UChar*>(&hot), 1, kTickOffset - sizeof(VexGuestAMD64State), sizeof(hot));
  keep_collection(tid);
  FrequentEvents frequent = frequent_events(hot, g_core.tick);
  frequent.take_waits(g_core);
  g_core.tick = hot.tick;
  report_run_cycles(*session(), g_core.run_cycles_at(g_core.tick));
  if (ThreadTotals* totals = thread_of(tid).totals)
    g_time_slice.add_to(totals->counted, frequent, g_core, g_counters);
  if (ring() != nullptr) g_core.settle_sizes(ring()->status(), false);
}

void begin_counting_for(ThreadId tid) {
  switch_to(tid);
  g_time_slice.begin(g_core, g_counters);
}

void end_counting_for(ThreadId tid) {
  if (ThreadTotals* totals = thread_of(tid).totals)
    g_time_slice.add_to(totals->counted, {}, g_core, g_counters);
  if (ring() != nullptr) g_core.settle_sizes(ring()->status(), false);
}

void share_cache() { g_cache_user.open(open_session_cache()); }

void reset_threads(ThreadId tid) {
  for (Thread& thread : g_threads) thread = {};
  g_running = VG_INVALID_THREADID;
  g_counters.configure(*session());
  join_session_cache(g_cache_user);
  start_thread(tid);
  g_core.machine.run_for(thread_of(tid).line_holder);
}

uint32_t kernel_tid(ThreadId tid) { return thread_of(tid).kernel_tid; }

}  // namespace hm::soft::vg
