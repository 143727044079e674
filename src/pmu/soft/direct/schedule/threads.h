// SPDX-License-Identifier: MIT
// The process's threads: their memory, their part in the recording, and what they do in a time slice on a
// core.
#pragma once

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/direct/session/recording.h"
#include "pmu/soft/sampling/session_cache_user.h"

namespace hm::soft::direct {

// Whether the thread has a core: it has none while it is in a system call, waits, or has just begun.
bool has_core(const Thread& thread);

class Threads {
 public:
  constexpr Threads(Recording& recording, SessionCacheUser& cache) : recording_(recording), cache_(cache) {}

  // A thread that does not run yet; null if there is no memory.
  Thread* make();
  // For a thread that comes from native code, perhaps again.
  Thread* make_arriving(uint32_t tid);
  // It goes to native code: until it is there it runs on its stack, so that only the same thread may have
  // that again, or any once this one has ended.
  void note_left(Thread& thread);
  // A thread that frees itself sets stack_in_use before, and clears it in its last instruction.
  void free(Thread* thread);

  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

  // It runs for the first time: sets its ids and takes its slot in the ring's table of totals.
  void begin(Thread& thread);
  // It will not run again.
  void end(Thread& thread);

  // Adds what the thread did since its time slice began to its totals, and begins another slice.
  void settle_time_slice(Core& core);

 private:
  static constexpr uint32_t kLeftLists = 64;

  Thread* take_free();

  Recording& recording_;
  SessionCacheUser& cache_;
  Lock lock_;
  Thread* free_ = nullptr;
  Thread* left_[kLeftLists] = {};  // by thread id
};

}  // namespace hm::soft::direct
