// SPDX-License-Identifier: MIT
// The program's rings of io_uring(7), for all its threads.
#pragma once

#include "base/thread_safety.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/sampling/io_rings.h"

namespace hm::soft::direct {

class ProgramRings {
 public:
  // As IoRings::follow().
  uint32_t follow(const CompletedCall& call, ReadProgram read, CompletedCall* done) {
    if (!IoRings::concerns(call.number)) return 0;
    Guard guard(lock_);
    return rings_.follow(call, read, done);
  }

  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

 private:
  Lock lock_;
  IoRings rings_ HM_GUARDED_BY(lock_);
};

}  // namespace hm::soft::direct
