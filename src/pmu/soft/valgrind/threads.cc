// SPDX-License-Identifier: GPL-2.0-or-later
#include "threads.h"

#include "core_model.h"
#include "process_records.h"
#include "session_link.h"

namespace hm::soft::vg {

constinit Counters g_counters;

namespace {

using event::EventId;

struct Thread {
  uint32_t kernel_tid;
  uint32_t slot_plus_one;  // in the ring's table of totals; 0: it has none
};

// Valgrind numbers threads from 1 and is told this bound when it starts (--max-threads).
constexpr unsigned kMaxThreadIds = kMaxThreads;
Thread g_threads[kMaxThreadIds];
BranchStack g_branch_stacks[kMaxThreadIds];  // of the threads that do not run

// What was so when the turn began.
struct Turn {
  ThreadId tid;
  Tick tick;
  uint64_t stall_cycles;
  uint64_t totals[kEventCount];
};
Turn g_turn;

// Events that translated code counts in the hot counters, whether or not it also samples them.
bool is_hot(EventId id) {
  return id == EventId::kInstrRetired || id == EventId::kMemoryLoads || id == EventId::kMemoryStores ||
         id == EventId::kMemoryMoves;
}

ThreadTotals* totals_of(const Thread& thread) {
  return ring() == nullptr || thread.slot_plus_one == 0 ? nullptr
                                                        : &ring()->status().threads[thread.slot_plus_one - 1];
}

// A free slot's number plus one, or 0.
uint32_t take_slot(uint32_t tid) {
  if (ring() == nullptr) return 0;
  RingStatus& status = ring()->status();
  for (uint32_t i = 0; i < kMaxThreads; ++i) {
    if (status.threads[i].tid != 0) continue;
    status.threads[i] = ThreadTotals{};
    status.threads[i].started_ns = monotonic_ns();
    if (i >= status.thread_slots) status.thread_slots = i + 1;
    __atomic_store_n(&status.threads[i].tid, tid, __ATOMIC_RELEASE);
    return i + 1;
  }
  return 0;
}

void start_thread(ThreadId tid) {
  auto kernel_tid = static_cast<uint32_t>(system_call(kSysGettid));
  g_threads[tid % kMaxThreadIds] = {kernel_tid, take_slot(kernel_tid)};
  g_branch_stacks[tid % kMaxThreadIds].next = 0;
}

void fold_hot_counters(const HotCounters& hot, ThreadTotals& totals) {
  uint64_t slots = (hot.tick - g_turn.tick) / 2;
  uint64_t loads = HotCounters::loads(hot.accesses);
  uint64_t stores = HotCounters::stores(hot.accesses);
  uint64_t done_loads = loads - HotCounters::loads(hot.skipped);
  uint64_t done_stores = stores - HotCounters::stores(hot.skipped);
  totals.counts[index_of(EventId::kInstrRetired)] += slots - loads - stores;
  totals.counts[index_of(EventId::kMemoryLoads)] += done_loads;
  totals.counts[index_of(EventId::kMemoryStores)] += done_stores;
  totals.counts[index_of(EventId::kMemoryMoves)] += done_loads + done_stores;
}

}  // namespace

void thread_starts(ThreadId tid) {
  bool main_thread = g_threads[tid % kMaxThreadIds].kernel_tid != 0 && g_turn.tid == VG_INVALID_THREADID;
  if (main_thread) return;  // reset_threads() made it
  start_thread(tid);
  record_thread_start(kernel_tid(tid));
}

void thread_ends(ThreadId tid) {
  Thread& thread = g_threads[tid % kMaxThreadIds];
  if (ThreadTotals* totals = totals_of(thread)) {
    totals->ended_ns = monotonic_ns();
    __atomic_store_n(&totals->exited, 1u, __ATOMIC_RELEASE);
  }
  record_thread_end(thread.kernel_tid);
  thread = {0, 0};
}

void turn_begins(ThreadId tid, ULong) {
  HotCounters hot{g_core.tick, 0, 0};
  VG_(set_shadow_regs_area)
  (tid, 1, kTickOffset - sizeof(VexGuestAMD64State), sizeof(hot), reinterpret_cast<const UChar*>(&hot));
  if (g_turn.tid != tid) {
    if (g_turn.tid != VG_INVALID_THREADID) g_branch_stacks[g_turn.tid % kMaxThreadIds] = g_core.branches;
    g_core.branches = g_branch_stacks[tid % kMaxThreadIds];
  }
  g_turn.tid = tid;
  g_turn.tick = g_core.tick;
  g_turn.stall_cycles = g_core.stall_cycles;
  for (unsigned i = 0; i < kEventCount; ++i) g_turn.totals[i] = g_counters.total(static_cast<EventId>(i));
  if (session()->stop != 0) g_counters.stop_sampling();
}

void turn_ends(ThreadId tid, ULong) {
  HotCounters hot;
  VG_(get_shadow_regs_area)
  (tid, reinterpret_cast<UChar*>(&hot), 1, kTickOffset - sizeof(VexGuestAMD64State), sizeof(hot));
  g_core.tick = hot.tick;
  ThreadTotals* totals = totals_of(g_threads[tid % kMaxThreadIds]);
  if (totals == nullptr) return;
  fold_hot_counters(hot, *totals);
  for (unsigned i = 0; i < kEventCount; ++i) {
    auto id = static_cast<EventId>(i);
    if (!is_hot(id)) totals->counts[i] += g_counters.total(id) - g_turn.totals[i];
  }
  totals->cycles += (hot.tick - g_turn.tick) / 2 + g_core.stall_cycles - g_turn.stall_cycles;
}

void reset_threads(ThreadId tid) {
  for (Thread& thread : g_threads) thread = {0, 0};
  g_turn.tid = VG_INVALID_THREADID;
  g_counters.configure(*session());
  start_thread(tid);
}

uint32_t kernel_tid(ThreadId tid) { return g_threads[tid % kMaxThreadIds].kernel_tid; }

uint64_t virtual_cycles(Tick now) {
  const ThreadTotals* totals = totals_of(g_threads[g_turn.tid % kMaxThreadIds]);
  uint64_t before = totals == nullptr ? 0 : totals->cycles;
  return before + (now - g_turn.tick) / 2 + g_core.stall_cycles - g_turn.stall_cycles;
}

}  // namespace hm::soft::vg
