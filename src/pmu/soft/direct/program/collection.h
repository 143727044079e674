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

#include "pmu/soft/direct/code/copies.h"
#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/plan.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/program/heap.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/memory_map.h"
#include "pmu/soft/direct/session/recording.h"
#include "pmu/soft/sampling/function_entries.h"
#include "pmu/soft/sampling/read_file.h"

namespace hm::soft::direct {

class Collection {
 public:
  constexpr Collection(const Plan& plan, MemoryMap& maps, Recording& recording, Copies& copies, Heap& heap)
      : plan_(plan), maps_(maps), recording_(recording), copies_(copies), heap_(heap) {}

  // Takes over the session's limits. Called before anything is copied.
  void begin();

  // find_entries: [start, end) is newly mapped; looks up, in the symbol tables of the files, which functions
  // of the session's begin there, and which allocators (heap.h). forget_entries: it is no longer mapped. Both
  // are called with the lock of copies held, or before there are threads.
  void find_entries(uint64_t start, uint64_t end);
  // As find_entries, of a piece of the file that the descriptor is of.
  void find_entries_of_file(int fd, const EntryTable::Piece& piece);
  void forget_entries(uint64_t start, uint64_t end);

  // Whether an activation begins at `address`.
  [[nodiscard]] bool is_entry(uint64_t address) const;

  // begin_thread: for a thread that has not run, a program's first or one that is made. inherit: for the
  // first thread of a process that `parent` makes, on a stack of its own or on the parent's.
  void begin_thread(Thread& thread) const;
  void inherit(Thread& child, const Thread& parent, bool own_stack) const;

  // Where the system call that the thread has just made marks the beginning or end of a region, obeys it.
  // False where it was another call.
  bool obey_region(Core& core);
  // For a forked child, in which no region has begun.
  void forget_regions(Thread& thread) const;

  // Called before the thread continues: begins or ends its collection if the time, a function's beginning
  // (`enters`) or an activation's end calls for that.
  void follow(Core& core, bool enters);

 private:
  struct OwnMemory {
    static void* map_readable(int fd, uint64_t bytes) {
      return map_file(fd, bytes, kReadable, Sharing::kPrivate);
    }
    static void unmap(void* mapping, uint64_t bytes) { unmap_pages(mapping, bytes); }
  };

  void take_entries(const MappedRange& range);
  void take_entries(const ReadFile<OwnMemory>& file, const EntryTable::Piece& piece);
  void plan_copies();
  void end_hold();
  void enter_function(Core& core);

  const Plan& plan_;
  MemoryMap& maps_;
  Recording& recording_;
  Copies& copies_;
  Heap& heap_;
  FunctionEntries entries_;
  bool in_functions_ = false;  // threads are collected only inside the session's functions
  bool in_regions_ = false;    // threads are collected only inside regions that the program marks
  bool held_ = false;          // Session::held, as far as this process has noticed
};

}  // namespace hm::soft::direct
