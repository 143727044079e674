// SPDX-License-Identifier: MIT
// Which threads are collected, and when: from the beginning; once the recorder says so (Session::held);
// inside functions (Session::functions, sampling/activation.h); inside regions that the program marks
// (ring/region_call.h). A thread that is not runs bare copies, which are linked to bare copies only. A bare
// copy of a function's beginning leads to the dispatcher, where the stay begins; collecting copies look at
// every indirect branch whether it is over. Bare copies that are made while the session is held look where a
// loop may be whether it still is.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"
#include "pmu/soft/direct/plan.h"

namespace hm::soft::direct {

// What the session wants, before anything is copied.
void limit_collection();

// [start, end) is mapped anew: functions that begin there are looked up in the symbol tables of the files,
// and allocators too (heap.h).
// Called with g_translation held, or before there are threads, as is the next.
void find_entries(uint64_t start, uint64_t end);
void forget_entries(uint64_t start, uint64_t end);

// Whether a stay begins at `address`.
bool is_entry(uint64_t address);

// For copies that are made now.
Plan plan_for(Mode mode);

// A thread that has not run: the first of a program, or one that is made; or the first of a process that
// `parent` makes, on a stack of its own or on the parent's.
void begin_collection(Thread& thread);
void inherit_collection(Thread& child, const Thread& parent, bool own_stack);

// On or off for the thread that runs on the core, from where it goes on; until it is set again.
void set_collecting(Core& core, bool on);

// The program says where a region begins or ends, by the system call that the thread has just made. False
// where that was another.
bool obey_region(Core& core);
// In a forked child no region has begun.
void forget_regions(Thread& thread);

// The thread is about to go on: what has happened may begin or end what is collected. `enters`: at the
// beginning of a function.
void follow_collection(Core& core, bool enters);

}  // namespace hm::soft::direct
