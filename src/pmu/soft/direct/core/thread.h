// SPDX-License-Identifier: MIT
// A thread of the target. Holds the thread's registers while it is in a system call or waits for a core.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/signal_state.h"
#include "pmu/soft/direct/runtime/lock_order.h"
#include "pmu/soft/direct/runtime/process_area.h"
#include "pmu/soft/sampling/counters.h"
#include "pmu/soft/sampling/heap_observer.h"
#include "pmu/soft/sampling/time_slice.h"

namespace hm::soft::direct {

struct Thread {
  uint64_t engine_stack;  // highest address of the stack for the engine's own code
  uint64_t signal_stack;  // lowest address of the signal stack
  uint32_t pid;           // its own process ID, not the parent's, if vfork created the thread
  uint32_t tid;
  Core* core;  // the core that it runs on or last ran on
  Context context;
  Counters counters;
  TimeSlice time_slice;
  SignalState signals;
  Thread* next_free;
  Thread* next_waiting;  // see core_queue.h, also for previous_waiting, is_waiting and woken
  Thread* previous_waiting;
  Thread* next_in_pace;     // see pace.h, also for the next two
  bool keeps_pace;          // it takes part in keeping pace
  uint32_t window_arrived;  // number of the last window that it has run
  bool is_waiting;
  bool is_blocked;         // it was blocked in a page fault at the last request to release its core
  uint32_t woken;          // a futex
  uint32_t stack_in_use;   // not 0: this object is free, but the thread still runs on its stack
  bool parent_frees;       // vfork created it: its parent frees it
  uint64_t call_began_ns;  // start of the last system call with a timeout in milliseconds
                           // (system_call_numbers.h)
  Mode running;            // mode of the copies that it was last given to run
  bool collected;          // see collection.h, also for the next three
  bool awaits_start;       // it is collected once Session::held is 0
  uint64_t activation_sp;
  uint32_t regions;           // number of program-marked regions that it is in
  uint64_t stack_bytes;       // size of its own stack below its first stack pointer; 0: unknown
  OpenCalls allocator_calls;  // heap.h
  uint32_t line_holder;       // model/session_cache.h
  uint64_t restart_area;      // address of its rseq area (restartable_sequence.h); 0: none is registered
  uint64_t last_sequence;     // descriptor of the last sequence that it was seen to begin
  HeldLocks locks;            // if they are checked (runtime/lock_order.h)
  ThreadTotals* totals;       // null if nothing is recorded or the ring has no free slot
};

// Returns the mode in which the next code on the core must be copied. The running code may have another mode
// (Thread::running), because a burst can begin or end within an instruction, and threads change cores.
inline Mode mode_of(const Core& core) {
  if (!core.thread->collected) return Mode::kUninstrumented;
  if (core.between_bursts) return Mode::kTouching;
  return core.sampling ? Mode::kSampling : Mode::kCollecting;
}

}  // namespace hm::soft::direct
