// SPDX-License-Identifier: GPL-2.0-or-later
// Maps an address to its heap block and the block's allocation site (sampling/heap_observer.h). Translated
// code calls the engine at the beginning of an allocator and, while a call is open, when a return leaves it,
// even if the thread is not collected.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/elf_functions.h"
#include "pmu/soft/sampling/function_entries.h"
#include "pmu/soft/sampling/heap_leaf.h"
#include "valgrind_api.h"

namespace hm::soft::vg {

// Stack pointer at the beginning of the running thread's innermost open allocator call; kNoActivation if
// there is none.
extern uint64_t g_allocator_stack;

// Starts observing if the session requests it. To be called before any code is translated.
void observe_heap();
bool is_heap_observed();

// Like find_entries() in collection.h.
void find_allocators(const ElfFunctions& file, const EntryTable::Piece& piece);
void forget_allocators(uint64_t start, uint64_t end);
bool is_allocator(uint64_t address);

// To be called for a thread that has not run yet, and at the beginning of a time slice.
void begin_allocator_calls(ThreadId tid);
void load_allocator_calls(ThreadId tid);

// Called by call-outs: the thread is at the beginning of the allocator at `address`, or a return has set its
// stack pointer to `sp`.
void enter_allocator(uint64_t address, VexGuestAMD64State* state);
void leave_allocator(uint64_t sp, uint64_t result);

// Finds the heap block of an address in the running thread's sample, and writes its allocation site to the
// recording. Returns false if no block is known.
bool find_heap_block(uint64_t address, HeapBlock& block);

}  // namespace hm::soft::vg
