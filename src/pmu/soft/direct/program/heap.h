// SPDX-License-Identifier: MIT
// Finds the heap block that holds an address, and the site that allocated it (sampling/heap_observer.h). The
// copy of an allocator's entry calls the engine, whether or not the thread is collected. After the first
// call, so does the copy of the code that the allocator returns to.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/code/copies.h"
#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/session/ring_recording.h"
#include "pmu/soft/sampling/elf_functions.h"
#include "pmu/soft/sampling/function_entries.h"
#include "pmu/soft/sampling/heap_leaf.h"
#include "pmu/soft/sampling/heap_observer.h"

namespace hm::soft::direct {

struct HeapMemory {
  using Lock = direct::Lock;
  static void* map_pages(uint64_t bytes) { return direct::map_pages(bytes, kReadWrite); }
};

class Heap {
 public:
  constexpr Heap(Recording& recording, Copies& copies) : recording_(recording), copies_(copies) {}

  // Starts observing if the session requires it. Called before anything is copied.
  void observe();
  [[nodiscard]] bool is_observed() const { return observer_.observes(); }

  // As Collection::find_entries() and forget_entries(): called with the lock of copies held, or before there
  // are threads.
  void find_allocators(const ElfFunctions& file, const EntryTable::Piece& piece);
  // Called when blocks may have been freed unobserved.
  void forget_blocks() { observer_.forget_blocks(); }
  void forget_allocators(uint64_t start, uint64_t end) { observer_.forget_allocators(start, end); }
  [[nodiscard]] bool is_allocator(uint64_t address) const {
    return observer_.number_at(address) != kNoAllocator;
  }

  // Returns the argument `what` with which the copy of the code at `address` calls on_call(); 0: it does not
  // call.
  [[nodiscard]] uint32_t point_at(uint64_t address) const;
  // Called at the start of the copy of the code at `address`.
  void on_call(Core& core, uint64_t address, uint32_t what);

  // Finds the block that holds the address, for a sample of the thread. Writes the block's allocation site to
  // the recording. Returns false if no block is known.
  bool find_block(const Thread& thread, uint64_t address, HeapBlock& block);

  // The lock of copies may be taken while the outer lock is held.
  template <typename Visit>
  void for_each_outer_lock(Visit&& visit) {
    observer_.for_each_outer_lock(visit);
  }
  template <typename Visit>
  void for_each_inner_lock(Visit&& visit) {
    observer_.for_each_inner_lock(visit);
  }

 private:
  void enter_allocator(Core& core, uint64_t ip, uint32_t number);

  Recording& recording_;
  Copies& copies_;
  HeapObserver<HeapMemory> observer_;
};

}  // namespace hm::soft::direct
