// SPDX-License-Identifier: MIT
// Decides which threads are collected, and when: from the beginning; once the recorder releases the session
// (Session::held); inside functions (Session::functions, sampling/activation.h); inside regions that the
// program marks (ring/region_call.h).
//
// A thread that is not collected runs uninstrumented copies, which are linked only to one another. The
// uninstrumented copy of a function's entry exits to the dispatcher, which begins the activation. Collecting
// copies check at every indirect branch whether the activation has ended. Uninstrumented copies made while
// the session is held check in loops whether it still is.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"
#include "pmu/soft/direct/code/copies.h"
#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/plan.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/program/heap.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/memory_map.h"
#include "pmu/soft/direct/session/ring_recording.h"
#include "pmu/soft/sampling/function_entries.h"
#include "pmu/soft/sampling/read_file.h"

namespace hm::soft::direct {

class Collection {
 public:
  constexpr Collection(const Plan& plan, MemoryMap& maps, Recording& recording, Copies& copies, Heap& heap)
      : plan_(plan), maps_(maps), recording_(recording), copies_(copies), heap_(heap) {}

  // Reads the session's limits. Called before anything is copied.
  void begin();

  // find_entries() handles newly mapped memory: it looks up, in the symbol tables of the files, the session's
  // functions and the allocators (heap.h) that begin there. forget_entries() handles unmapped memory. Both
  // are called with the lock of copies held, or before there are threads.
  void find_entries(uint64_t start, uint64_t end);
  // As find_entries(), for a part of the file of descriptor `fd`.
  void find_entries_of_file(int fd, const EntryTable::Piece& piece);
  void forget_entries(uint64_t start, uint64_t end);

  // Returns true if an activation begins at `address`.
  [[nodiscard]] bool is_entry(uint64_t address) const;

  // begin_thread() initializes a thread that has not run: a program's first, or a new one. inherit()
  // initializes the first thread of a process that `parent` creates, on a stack of its own or on the
  // parent's.
  void begin_thread(Thread& thread) const;
  void inherit(Thread& child, const Thread& parent, bool own_stack) const;

  // If the thread's last system call marks the beginning or end of a region, applies it. Returns false if it
  // was another call.
  bool obey_region(Core& core);
  // For a forked child, which is in no region.
  void forget_regions(Thread& thread) const;

  // Called before the thread continues. Begins or ends its collection, depending on the time, on a function's
  // entry (`enters`) or on the end of an activation.
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
  void plan_copies() HM_REQUIRES(copies_.lock());
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
  bool held_ = false;          // last value of Session::held that this process has seen
};

}  // namespace hm::soft::direct
