// SPDX-License-Identifier: MIT
// In which heap block an address lies, and where that was allocated (sampling/heap_observer.h). Copies of an
// allocator's beginning call the engine, whether or not the thread is collected; so do, from the first call
// on, copies of the code that an allocator returns to.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"
#include "pmu/soft/sampling/elf_functions.h"
#include "pmu/soft/sampling/function_entries.h"
#include "pmu/soft/sampling/heap_leaf.h"

namespace hm::soft::direct {

// If the session wants it, before anything is copied.
void observe_heap();
bool is_heap_observed();

// As the entries of collection.h, with g_translation held or before there are threads.
void find_allocators(const ElfFunctions& file, const EntryTable::Piece& piece);
void forget_allocators(uint64_t start, uint64_t end);
bool is_allocator(uint64_t address);

// What is to be told to hm_on_heap() where a block begins; 0: nothing.
uint32_t heap_point_at(uint64_t address);

// For a sample of the thread: the block that holds the address, whose site the recording is told of. False
// where none is known.
bool find_heap_block(const Thread& thread, uint64_t address, HeapBlock& block);

// Around fork(2); in the child nobody holds it.
void lock_heap_for_fork();
void unlock_heap_after_fork(bool in_child);

}  // namespace hm::soft::direct

extern "C" void hm_on_heap(hm::soft::direct::Core* core, uint64_t address, uint32_t what);
