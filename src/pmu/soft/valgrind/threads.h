// SPDX-License-Identifier: GPL-2.0-or-later
// The process and its threads: the running thread, and each thread's exact totals.
//
// While a thread runs, the counters that every block updates are in its shadow guest state, where translated
// code accesses them at a fixed offset. They are loaded before the thread's time slice and added to its
// totals afterwards.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/counters.h"
#include "pmu/soft/sampling/modelled_core.h"
#include "valgrind_api.h"

namespace hm::soft::vg {

// Offsets from the guest state pointer. Only this tool uses the shadow area.
inline constexpr int kTickOffset = sizeof(VexGuestAMD64State) + 16;
inline constexpr int kAccessesOffset = kTickOffset + 8;
inline constexpr int kSkippedOffset = kTickOffset + 16;

struct HotCounters {
  Tick tick;
  // In this time slice: accesses, including guarded ones, and the guarded accesses that did not happen.
  // Packed so that a block's contribution fits an instruction's immediate. A time slice has 100,000 blocks of
  // at most about 60 instructions, which cannot overflow the 24 bits for loads.
  uint64_t accesses;
  uint64_t skipped;

  static constexpr unsigned kStoreShift = 24;
  static constexpr unsigned kMaxStoresAtOnce = 127;
  static constexpr uint64_t pack(uint64_t loads, uint64_t stores) { return loads | stores << kStoreShift; }
  static constexpr uint64_t loads(uint64_t packed) { return packed & ((uint64_t{1} << kStoreShift) - 1); }
  static constexpr uint64_t stores(uint64_t packed) { return packed >> kStoreShift; }
};

inline HotCounters& hot_counters(VexGuestAMD64State* state) {
  return *reinterpret_cast<HotCounters*>(reinterpret_cast<char*>(state) + kTickOffset);
}

extern Counters g_counters;

// Handlers for Valgrind's thread callbacks.
void thread_starts(ThreadId tid);
void thread_ends(ThreadId tid);
void time_slice_begins(ThreadId tid, ULong blocks_done);
void time_slice_ends(ThreadId tid, ULong blocks_done);

// To be called before and after events between time slices that are to be counted for the thread: those of
// its system calls.
void begin_counting_for(ThreadId tid);
void end_counting_for(ThreadId tid);

// Finds the last level that the session's processes share. To be called before the first thread starts.
void share_cache();

// Starts counting at zero for this process's (new) ring. To be called when the process starts and in a forked
// child.
void reset_threads(ThreadId tid);

uint32_t kernel_tid(ThreadId tid);

}  // namespace hm::soft::vg
