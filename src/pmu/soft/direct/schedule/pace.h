// SPDX-License-Identifier: MIT
// Keeps threads that run at the same time in step: each runs a window of modelled cycles, then waits until
// the others have run theirs. What passes from one core to another takes effect at the window's end. So the
// counts of shared lines follow from the program, not from when the host runs which thread: conservative
// parallel simulation, as Reinhardt and others do it in the Wisconsin Wind Tunnel (SIGMETRICS 1993).
//
// A thread takes part while it has a core and is collected. One that waits for another, in a system call or
// for a core, takes no part.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/direct/session/recording.h"

namespace hm::soft::direct {

struct Thread;

class Pace {
 public:
  constexpr explicit Pace(Recording& recording) : recording_(recording) {}

  // Before the first thread takes part.
  void turn_on() { is_on_ = true; }

  // The thread takes part from now on, or no longer. Both may be called again. It enters at the time that the
  // others have come to (sampling/run_time.h), with the core that it has.
  void enter(Thread& thread);
  void leave(Thread& thread);

  // Likewise the core's thread, which has run until now.
  void leave(const Core& core);

  // Called where the core's thread may have run its window: waits for the others if it has, and says when the
  // core is to call again (Core::switch_tick). Where Core::attention is set meanwhile, it returns at once,
  // and the core calls again.
  void follow(Core& core);

  // In a forked child, where no other thread exists and this one has no core.
  void keep_none();

  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

 private:
  // A window of 2^n cycles. The shortest is about as long as a line takes from core to core and back a few
  // times; the longest keeps the waiting small.
  static constexpr uint32_t kShortest = 10, kLongest = 16;

  [[nodiscard]] uint32_t window() const { return __atomic_load_n(&window_, __ATOMIC_ACQUIRE); }
  [[nodiscard]] uint32_t arrive(Core& core);
  [[nodiscard]] bool wait_for_others(Core& core, uint32_t window);
  void begin_window(Core& core);
  void next_window_if_all_arrived();
  void leave_blocked_behind(uint32_t window, bool all);
  void sleep(uint32_t window);
  [[nodiscard]] Session* timed_session() const;
  void join_time(Core& core) const;
  void tell_time(const Core& core);
  void add(Thread& thread);
  void remove(Thread& thread);

  Recording& recording_;
  bool is_on_ = false;
  Lock lock_;                   // of what follows, as far as it is changed
  Thread* first_ = nullptr;     // of those that take part (Thread::next_in_pace)
  uint32_t members_ = 0;        // how many do
  uint32_t arrived_ = 0;        // those of them that have run their window
  uint32_t window_ = 1;         // its number: a futex
  uint32_t length_ = kLongest;  // of the window: the logarithm of its cycles
  uint32_t sleepers_ = 0;       // threads that sleep until it ends
  uint64_t window_began_ = 0;   // by the run's time
  uint64_t latest_ = 0;         // the latest time that a core has told
  uint64_t transfers_ = 0;      // of lines from core to core, as far as members have told of this window
};

}  // namespace hm::soft::direct
