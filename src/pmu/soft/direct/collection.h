// SPDX-License-Identifier: MIT
// Which threads are collected, and when: from the beginning; once the recorder says so (Session::held);
// inside functions (Session::functions, sampling/activation.h); inside regions that the program marks
// (ring/region_call.h).
//
// A thread that is not collected runs uninstrumented copies, which are linked only to one another. The
// uninstrumented copy of a function's beginning leads to the dispatcher, where the activation begins;
// collecting copies check at every indirect branch whether the activation is over. Uninstrumented copies that
// are made while the session is held check, where a loop may be, whether it still is.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"
#include "pmu/soft/direct/plan.h"

namespace hm::soft::direct {

// Takes over the session's limits. Called before anything is copied.
void limit_collection();

// find_entries: [start, end) is newly mapped; looks up, in the symbol tables of the files, which functions of
// the session's begin there, and which allocators (heap.h). forget_entries: it is no longer mapped. Both are
// called with g_translation held, or before there are threads.
void find_entries(uint64_t start, uint64_t end);
void forget_entries(uint64_t start, uint64_t end);

// Whether an activation begins at `address`.
bool is_entry(uint64_t address);

// The plan for copies that are made now.
Plan plan_for(Mode mode);

// begin_collection: for a thread that has not run, a program's first or one that is made. inherit_collection:
// for the first thread of a process that `parent` makes, on a stack of its own or on the parent's.
void begin_collection(Thread& thread);
void inherit_collection(Thread& child, const Thread& parent, bool own_stack);

// On or off for the thread that runs on the core, from its next instruction on.
void set_collecting(Core& core, bool on);

// Where the system call that the thread has just made marks the beginning or end of a region, obeys it. False
// where it was another call.
bool obey_region(Core& core);
// For a forked child, in which no region has begun.
void forget_regions(Thread& thread);

// Called before the thread continues: begins or ends its collection if the time, a function's beginning
// (`enters`) or an activation's end calls for that.
void follow_collection(Core& core, bool enters);

}  // namespace hm::soft::direct
