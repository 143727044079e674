// SPDX-License-Identifier: GPL-2.0-or-later
// Finds the heap block of an address, and its allocation site (sampling/heap_observer.h). Translated code
// calls the engine at an allocator's entry and, while a call is open, at a return from it, even if the thread
// is not collected.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/elf_functions.h"
#include "pmu/soft/sampling/function_entries.h"
#include "pmu/soft/sampling/heap_leaf.h"
#include "valgrind_api.h"

namespace hm::soft::vg {

// The stack pointer at the entry of the running thread's innermost open allocator call; kNoActivation if
// there is no such call.
extern uint64_t g_allocator_stack;

// Starts observing if the session requests it. Called before any code is translated.
void observe_heap();
bool is_heap_observed();

// Like find_entries() of collection.h.
void find_allocators(const ElfFunctions& file, const EntryTable::Piece& piece);
void forget_allocators(uint64_t start, uint64_t end);
bool is_allocator(uint64_t address);

// Called for a thread that has not run, and at the start of a time slice.
void begin_allocator_calls(ThreadId tid);
void load_allocator_calls(ThreadId tid);

// Call-outs: the thread is at the entry of the allocator at `address`; a return has set its stack pointer to
// `sp`.
void enter_allocator(uint64_t address, VexGuestAMD64State* state);
void leave_allocator(uint64_t sp, uint64_t result);

// For a sample of the running thread: finds the block that holds the address, and records its allocation
// site. Returns false if no block is known.
bool find_heap_block(uint64_t address, HeapBlock& block);

}  // namespace hm::soft::vg
