// SPDX-License-Identifier: MIT
// A thread of the target. While it waits for a system call or a core, its state is here.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"
#include "pmu/soft/direct/signal_state.h"
#include "pmu/soft/sampling/counters.h"
#include "pmu/soft/sampling/heap_observer.h"
#include "pmu/soft/sampling/time_slice.h"

namespace hm::soft::direct {

// A thread's stacks lie in a block of their own, aligned to its size: for signals, whose first word is the
// thread's address, and for the rest of the engine's code.
inline constexpr uint64_t kThreadBlockBytes = 128u << 10;
inline constexpr uint64_t kSignalStackBytes = kThreadBlockBytes / 2;

struct Thread {
  uint64_t engine_stack;  // where it begins
  uint64_t signal_stack;  // its lowest address
  uint32_t pid;           // not its process's where vfork made it
  uint32_t tid;
  Core* core;  // that it runs on, or ran on last
  Context context;
  Counters counters;
  TimeSlice time_slice;
  SignalState signals;
  Thread* next_free;
  Thread* next_waiting;   // core_queue.h
  uint32_t stack_in_use;  // not 0: freed, but not off its stack yet
  bool parent_frees;      // vfork made it
  Mode mode;              // collection.h, as are these two
  bool awaits_start;      // it is collected once Session::held is 0
  uint64_t activation_sp;
  uint32_t regions;           // how many of the program's own it is in
  uint64_t stack_bytes;       // of its own stack, below its first stack pointer; 0: not known
  OpenCalls allocator_calls;  // heap.h
  ThreadTotals* totals;       // null where the ring has no room for it, or there is none
};

// A thread that does not run yet; null if there is no memory.
Thread* new_thread();
// Where the thread still runs on its stack, it sets stack_in_use before, and has it cleared by its last
// instruction.
void free_thread(Thread* thread);

// In a forked child: whoever held locks is not there.
void reset_locks_of_threads();

// It runs for the first time: it gets its numbers and its place in the ring's table.
void begin_thread(Thread& thread);
// It will not run again.
void end_thread(Thread& thread);

// What it did since its turn began goes to its totals, and another turn begins.
void settle_time_slice(Core& core);

}  // namespace hm::soft::direct
