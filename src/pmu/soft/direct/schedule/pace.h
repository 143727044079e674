// SPDX-License-Identifier: MIT
// Keeps threads that run at the same time in step. Each thread runs a window of modelled cycles, then waits
// until the others have run theirs. Transfers of lines between cores take effect at the end of the window. So
// the counts of shared lines follow from the program, not from the host's scheduling. This is conservative
// parallel simulation, as Reinhardt and others do it in the Wisconsin Wind Tunnel (SIGMETRICS 1993).
//
// A thread takes part while it has a core and is collected. A thread that waits for another, in a system call
// or for a core, takes no part. If bursts follow a part that is measured exactly, threads keep pace in that
// part.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"
#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/direct/session/ring_recording.h"

namespace hm::soft::direct {

struct Thread;

class Pace {
 public:
  constexpr explicit Pace(Recording& recording) : recording_(recording) {}

  // Called before the first thread takes part. `has_others`: more than one core may run.
  void turn_on(bool has_others) {
    is_on_ = has_others;
    is_alone_ = !has_others;
  }
  // Called when bursts begin, in any thread. No thread waits for others from now on.
  void end();

  // The thread takes part from now on, or no longer. Repeated calls have no effect. The thread enters at the
  // current time of the others (sampling/run_time.h), with the core that it has.
  void enter(Thread& thread);
  void leave(Thread& thread);

  // As leave(thread), for the core's thread, which has run until now.
  void leave(const Core& core);

  // Called when the core's thread may have run its window. Waits for the others if it has, and sets the time
  // of the core's next call (Core::switch_tick). If Core::attention is set meanwhile, returns at once, and
  // the core calls again.
  void follow(Core& core);

  // For a forked child, in which no other thread exists and the calling thread has no core.
  void keep_none();

  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

 private:
  // Binary logarithm of the window's length in cycles. The shortest window is about the time of a few round
  // trips of a line between two cores. The longest keeps the waiting short.
  static constexpr uint32_t kShortest = 10, kLongest = 16;

  [[nodiscard]] bool is_on() const { return __atomic_load_n(&is_on_, __ATOMIC_RELAXED); }
  [[nodiscard]] uint32_t window() const { return __atomic_load_n(&window_, __ATOMIC_ACQUIRE); }
  [[nodiscard]] uint32_t arrive(Core& core);
  [[nodiscard]] bool wait_for_others(Core& core, uint32_t window);
  void begin_window(Core& core);
  void follow_alone(Core& core);
  static void leave_window(Core& core);
  static void return_at(Core& core, uint64_t tick);
  void next_window_if_all_arrived() HM_REQUIRES(lock_);
  void check_members() const HM_REQUIRES(lock_);
  void leave_blocked_behind(uint32_t window, bool all);
  void sleep(uint32_t window);
  [[nodiscard]] Session* timed_session() const;
  void join_time(Core& core) const;
  void report_time(const Core& core) HM_REQUIRES(lock_);
  void add(Thread& thread) HM_REQUIRES(lock_);
  void remove(Thread& thread) HM_REQUIRES(lock_);

  Recording& recording_;
  bool is_on_ = false;
  bool has_ended_ = false;
  bool is_alone_ = false;  // there is only one core, which waits for no other
  Lock lock_;
  Thread* first_ HM_GUARDED_BY(lock_) = nullptr;  // list of the threads that take part (Thread::next_in_pace)
  uint32_t members_ HM_GUARDED_BY(lock_) = 0;     // number of threads that take part
  uint32_t arrived_ HM_GUARDED_BY(lock_) = 0;     // number of these threads that have run their window
  uint32_t window_ HM_GUARDED_BY(lock_) = 1;      // number of the current window: a futex
  uint32_t length_ HM_GUARDED_BY(lock_) = kLongest;  // logarithm of the window's length in cycles
  uint32_t sleepers_ = 0;                            // number of threads that sleep until the window ends
  uint64_t window_began_ HM_GUARDED_BY(lock_) = 0;   // in run time
  uint64_t latest_ HM_GUARDED_BY(lock_) = 0;         // latest time that a core has reported
  uint64_t transfers_ HM_GUARDED_BY(lock_) =
      0;  // line transfers between cores that members have reported in this window
};

}  // namespace hm::soft::direct
