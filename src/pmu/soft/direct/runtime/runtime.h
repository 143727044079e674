// SPDX-License-Identifier: MIT
// State that every part of the engine needs.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/direct/runtime/process_area.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/sampling/piece_pool.h"

namespace hm::soft::direct {

struct Runtime {
  Lock memory_lock;
  PiecePool memory HM_GUARDED_BY(memory_lock);
  ProcessArea* area = nullptr;  // null in tests on the host
  Lock mappings_lock;           // protects the area's list of mappings
  // Where the next mapping goes, as an offset in kOwnArea and in kTableArea; changed atomically.
  uint64_t next_own = 0, next_table = 0;
  // Lets the process continue natively if the calling thread is making a copy of code; otherwise returns.
  void (*leave)(LeaveReason reason) = nullptr;
  // Counters in the recorder's memory (Session::cut_short, Session::lost_pages).
  uint32_t* given_up = nullptr;
  uint32_t* lost_pages = nullptr;
  bool is_checking = false;    // check.h; constant once the process's first thread runs
  uint32_t checked_locks = 0;  // number of locks whose order is checked

  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(memory_lock);
    visit(mappings_lock);
  }
};

// Returns the process's Runtime. The definition is with the process's state, in a layer above this one.
Runtime& runtime();

}  // namespace hm::soft::direct
