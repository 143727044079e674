// SPDX-License-Identifier: GPL-2.0-or-later
// Which threads are collected, and when: once the recorder says so (Session::held), inside functions
// (Session::functions, sampling/activation.h). Where a session limits that, everything that is put into
// translated code is executed only if g_collecting is set. Valgrind runs one thread at a time, so one word
// serves all.
#pragma once

#include <stdint.h>

#include "valgrind_api.h"

namespace hm::soft::vg {

// For the thread that runs: all bits set where it is collected, else none; and its activation.
extern uint64_t g_collecting;
extern uint64_t g_activation_sp;

// Takes over the session's limits. Called before any code is translated.
void limit_collection();
// Whether less than everything is collected.
bool is_limited();
bool is_limited_to_functions();

// [start, start + bytes) is newly mapped: looks up, in the symbol tables of the files, which functions of the
// session's begin there, and which allocators (heap.h).
void find_entries(Addr start, SizeT bytes, bool executable);
void find_all_entries();
bool is_entry(uint64_t address);

// For a thread that has not run.
void begin_collection(ThreadId tid);
// Around a thread's time slices.
void load_collection(ThreadId tid);
void keep_collection(ThreadId tid);

// Regions that the program marks (ring/region_call.h). The first thread is about to run; prctl(2) was called
// with this address; a process has been forked.
void look_for_regions();
void obey_region(ThreadId tid, uint64_t address);
void forget_regions(ThreadId tid);

// On or off for the thread that runs.
void set_collecting(bool on);

// For call-outs: the thread is at the beginning of a function; its stack pointer is above its activation's.
void enter_function(uint64_t address, uint64_t sp);
void leave_function(uint64_t sp);

}  // namespace hm::soft::vg
