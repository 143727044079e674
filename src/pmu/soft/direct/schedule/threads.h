// SPDX-License-Identifier: MIT
// The process's threads: their memory, their entries in the recording, and the totals of their time slices on
// cores.
#pragma once

#include "base/thread_safety.h"
#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/direct/session/ring_recording.h"
#include "pmu/soft/sampling/session_cache_user.h"

namespace hm::soft::direct {

// Returns true if the thread has a core: it has none while it is in a system call, waits, or has just begun.
bool has_core(const Thread& thread);

// Returns the thread on whose engine stack or signal stack the caller runs; null on another stack.
Thread* thread_of_engine_stack();

class Threads {
 public:
  constexpr Threads(Recording& recording, SessionCacheUser& cache) : recording_(recording), cache_(cache) {}

  // Returns a thread that does not run yet; null if there is no memory.
  Thread* make();
  // Returns an object for a thread that comes from native code, possibly not for the first time.
  Thread* make_arriving(uint32_t tid);
  // Called when the thread goes to native code. It still runs on its stack until it is there. So only the
  // same thread may reuse the object, or any thread after this one has ended.
  void note_left(Thread& thread);
  // Returns true if the thread has gone to native code, and has not come back.
  bool has_left(uint32_t tid);
  // A thread that frees itself sets stack_in_use first, and clears it in its last instruction.
  void free(Thread* thread);

  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

  // Called when the thread runs for the first time. Sets its IDs and takes its slot in the ring's table of
  // totals.
  void begin(Thread& thread);
  // Called when the thread will not run again.
  void end(Thread& thread);

  // Adds the thread's counts since its time slice began to its totals, and begins another slice.
  void settle_time_slice(Core& core);
  // As settle_time_slice() if the slice is long, so that the totals of a thread that computes are up to date.
  void settle_if_due(Core& core);

  static constexpr uint64_t kMaxTicksUnsettled = uint64_t{1} << 25;

 private:
  static constexpr uint32_t kLeftLists = 64;

  Thread* take_free() HM_REQUIRES(lock_);

  Recording& recording_;
  SessionCacheUser& cache_;
  Lock lock_;
  Thread* free_ HM_GUARDED_BY(lock_) = nullptr;
  Thread* left_[kLeftLists] HM_GUARDED_BY(lock_) = {};  // indexed by a hash of the thread ID
};

}  // namespace hm::soft::direct
