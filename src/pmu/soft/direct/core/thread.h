// SPDX-License-Identifier: MIT
// A thread of the target. While it is in a system call or waits for a core, its registers are here.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/signal_state.h"
#include "pmu/soft/direct/runtime/process_area.h"
#include "pmu/soft/sampling/counters.h"
#include "pmu/soft/sampling/heap_observer.h"
#include "pmu/soft/sampling/time_slice.h"

namespace hm::soft::direct {

struct Thread {
  uint64_t engine_stack;  // its highest address
  uint64_t signal_stack;  // its lowest address
  uint32_t pid;           // its own, not the parent's, where vfork made it
  uint32_t tid;
  Core* core;  // that it runs on or last ran on
  Context context;
  Counters counters;
  TimeSlice time_slice;
  SignalState signals;
  Thread* next_free;
  Thread* next_waiting;  // core_queue.h; so the next three
  Thread* previous_waiting;
  Thread* next_in_pace;     // pace.h; so the next two
  bool keeps_pace;          // it takes part
  uint32_t window_arrived;  // the last one that it has run
  bool is_waiting;
  bool is_blocked;         // it waited in a page fault when it was last asked to release its core
  uint32_t woken;          // a futex
  uint32_t stack_in_use;   // not 0: freed, but it still runs on its stack
  bool parent_frees;       // vfork made it: its parent frees it
  uint64_t call_began_ns;  // the last system call with a limit of milliseconds (system_calls.h)
  Mode running;            // how the code is copied that it was given last
  bool collected;          // collection.h; so the next three
  bool awaits_start;       // it is collected once Session::held is 0
  uint64_t activation_sp;
  uint32_t regions;           // how many regions that the program marks it is in
  uint64_t stack_bytes;       // of its own stack, below its first stack pointer; 0: not known
  OpenCalls allocator_calls;  // heap.h
  uint32_t line_holder;       // model/session_cache.h
  ThreadTotals* totals;       // null where the ring has no room for it, or there is none
};

// How the code is to be copied that runs next on the core. What runs may still be another (Thread::running):
// a burst begins and ends within an instruction, and cores change.
inline Mode mode_of(const Core& core) {
  if (!core.thread->collected) return Mode::kUninstrumented;
  return core.between_bursts ? Mode::kTouching : Mode::kCollecting;
}

}  // namespace hm::soft::direct
