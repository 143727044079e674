// SPDX-License-Identifier: MIT
// In which heap block an address lies, and where that was allocated (sampling/heap_observer.h). The copy of
// an allocator's beginning calls the engine, whether or not the thread is collected. From the first call on,
// so does the copy of the code that the allocator returns to.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"
#include "pmu/soft/sampling/elf_functions.h"
#include "pmu/soft/sampling/function_entries.h"
#include "pmu/soft/sampling/heap_leaf.h"

namespace hm::soft::direct {

// Starts observing if the session asks for it. Called before anything is copied.
void observe_heap();
bool is_heap_observed();

// As find_entries and forget_entries of collection.h: with g_translation held, or before there are threads.
void find_allocators(const ElfFunctions& file, const EntryTable::Piece& piece);
void forget_allocators(uint64_t start, uint64_t end);
bool is_allocator(uint64_t address);

// The argument `what` with which the copy of the code at `address` calls hm_on_heap(); 0: it does not call.
uint32_t heap_point_at(uint64_t address);

// For a sample of the thread: the block that holds the address; its allocation site is written to the
// recording. False where no block is known.
bool find_heap_block(const Thread& thread, uint64_t address, HeapBlock& block);

// Around fork(2), so that the child finds the table of blocks in a consistent state.
void lock_heap_for_fork();
void unlock_heap_after_fork(bool in_child);

}  // namespace hm::soft::direct

extern "C" void hm_on_heap(hm::soft::direct::Core* core, uint64_t address, uint32_t what);
