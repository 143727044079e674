// SPDX-License-Identifier: MIT
// Bounds the memory of the models. They keep data about every line that the program has used. If a program
// maps memory at ever new addresses, as node does, the models would grow without bound. When they have
// doubled, they forget lines that are no longer mapped.
#pragma once

#include "base/thread_safety.h"
#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/plan.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/direct/runtime/memory_map.h"
#include "pmu/soft/direct/runtime/ranges.h"
#include "pmu/soft/direct/schedule/cores.h"

namespace hm::soft::direct {

class UnusedLines {
 public:
  constexpr UnusedLines(const Plan& plan, Cores& cores) : plan_(plan), cores_(cores) {}

  // Called by the thread that has the core, after it has changed the program's mappings.
  void forget(Core& core);

  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

 private:
  bool learn_mappings() HM_REQUIRES(lock_);

  const Plan& plan_;
  Cores& cores_;
  Lock lock_;
  MemoryMap maps_ HM_GUARDED_BY(lock_);
  Ranges mappings_ HM_GUARDED_BY(lock_);
};

}  // namespace hm::soft::direct
