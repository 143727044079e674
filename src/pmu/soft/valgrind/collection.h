// SPDX-License-Identifier: GPL-2.0-or-later
// Determines which threads are collected and when: after the recorder releases Session::held, and only inside
// Session::functions (sampling/activation.h). If the session limits collection, all instrumentation of
// translated code runs only while g_collecting is set. Valgrind runs one thread at a time, so one word is
// enough for all threads.
#pragma once

#include <stdint.h>

#include "valgrind_api.h"

namespace hm::soft::vg {

// State of the running thread: all bits are set while it is collected, else none; and the stack pointer of
// its activation.
extern uint64_t g_collecting;
extern uint64_t g_activation_sp;

// Adopts the session's limits. To be called before any code is translated.
void limit_collection();
// True if some of the program is not collected.
bool is_limited();
bool is_limited_to_functions();

// Handles a new mapping [start, start + bytes): looks up, in the symbol tables of the files, the session's
// functions that begin there, and the allocators (heap.h).
void find_entries(Addr start, SizeT bytes, bool executable);
void find_all_entries();
bool is_entry(uint64_t address);

// To be called for a thread that has not run yet.
void begin_collection(ThreadId tid);
// Whether the thread was collected at the end of its last time slice.
bool is_collected(ThreadId tid);
// To be called before and after a thread's time slices.
void load_collection(ThreadId tid);
void keep_collection(ThreadId tid);

// Regions marked by the program (ring/region_call.h). To be called before the first thread runs, after
// prctl(2) with this address, and after a fork.
void look_for_regions();
void obey_region(ThreadId tid, uint64_t address);
void forget_regions(ThreadId tid);

// Turns collection on or off for the running thread.
void set_collecting(bool on);

// Called by call-outs: the thread is at the beginning of a function, or its stack pointer is above that of
// its activation.
void enter_function(uint64_t address, uint64_t sp);
void leave_function(uint64_t sp);

}  // namespace hm::soft::vg
