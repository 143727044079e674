// SPDX-License-Identifier: GPL-2.0-or-later
// Decides which threads are collected: after the recorder permits it (Session::held), and inside functions
// (Session::functions, sampling/activation.h). If a session has such limits, instrumentation in translated
// code is executed only if g_collecting is set. Valgrind runs one thread at a time, so one word serves all
// threads.
#pragma once

#include <stdint.h>

#include "valgrind_api.h"

namespace hm::soft::vg {

// For the running thread: all bits set if it is collected, else 0; and its activation.
extern uint64_t g_collecting;
extern uint64_t g_activation_sp;

// Reads the session's limits. Called before any code is translated.
void limit_collection();
// Whether any limit is set.
bool is_limited();
bool is_limited_to_functions();

// [start, start + bytes) is newly mapped: looks up the session's functions, and allocators (heap.h), that
// begin there, in the symbol tables of the files.
void find_entries(Addr start, SizeT bytes, bool executable);
void find_all_entries();
bool is_entry(uint64_t address);

// Called for a thread that has not run.
void begin_collection(ThreadId tid);
// Called before and after a thread's time slices.
void load_collection(ThreadId tid);
void keep_collection(ThreadId tid);

// Regions that the program marks (ring/region_call.h). The next three: the first thread is about to run;
// prctl(2) was called with this address; a process has been forked.
void look_for_regions();
void obey_region(ThreadId tid, uint64_t address);
void forget_regions(ThreadId tid);

// Turns collecting on or off for the running thread.
void set_collecting(bool on);

// Call-outs: the thread is at a function's entry; its stack pointer is above its activation's.
void enter_function(uint64_t address, uint64_t sp);
void leave_function(uint64_t sp);

}  // namespace hm::soft::vg
