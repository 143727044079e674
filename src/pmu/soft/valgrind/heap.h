// SPDX-License-Identifier: GPL-2.0-or-later
// In which heap block an address lies, and where that was allocated (sampling/heap_observer.h). Translated
// code calls the engine where an allocator begins and, while one is open, where a return leaves it; whether
// or not the thread is collected.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/elf_functions.h"
#include "pmu/soft/sampling/function_entries.h"
#include "pmu/soft/sampling/heap_leaf.h"
#include "valgrind_api.h"

namespace hm::soft::vg {

// The stack pointer with which the running thread's innermost open call of an allocator began; kNoActivation
// where there is no such call.
extern uint64_t g_allocator_stack;

// Starts observing if the session asks for it. Called before any code is translated.
void observe_heap();
bool is_heap_observed();

// As find_entries of collection.h.
void find_allocators(const ElfFunctions& file, const EntryTable::Piece& piece);
void forget_allocators(uint64_t start, uint64_t end);
bool is_allocator(uint64_t address);

// For a thread that has not run; at the beginning of a time slice.
void begin_allocator_calls(ThreadId tid);
void load_allocator_calls(ThreadId tid);

// For call-outs: the thread is at the beginning of the allocator at `address`; a return has set its stack
// pointer to `sp`.
void enter_allocator(uint64_t address, VexGuestAMD64State* state);
void leave_allocator(uint64_t sp, uint64_t result);

// For a sample of the thread that runs: the block that holds the address; its allocation site is written to
// the recording. False where no block is known.
bool find_heap_block(uint64_t address, HeapBlock& block);

}  // namespace hm::soft::vg
