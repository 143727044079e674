// SPDX-License-Identifier: MIT
// Which thread runs on which modelled core. There are as many modelled cores as the host has CPUs for the
// target, so it costs nothing that a thread has a core for itself while it runs. Around a system call the
// thread releases its core: it gets the same one back unless another thread has taken it meanwhile.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/direct/schedule/code_pages.h"
#include "pmu/soft/direct/schedule/core_queue.h"
#include "pmu/soft/direct/schedule/pace.h"
#include "pmu/soft/direct/schedule/threads.h"
#include "pmu/soft/direct/session/recording.h"

namespace hm::soft::direct {

class Cores {
 public:
  constexpr Cores(Recording& recording, Threads& threads, CodePageTable& code_pages)
      : recording_(recording), threads_(threads), code_pages_(code_pages) {}

  // `most`: how many cores there may be while no thread is blocked in the midst of its code. They are created
  // when they are needed. on_shared(levels): called once what they share has been built.
  using OnShared = void (*)(model::SharedLevels& levels);
  // `keeps_pace`: threads that run at the same time do so in step (pace.h).
  void prepare(uint32_t most, bool keeps_pace, OnShared on_shared);

  Pace& pace() { return pace_; }

  // Before the first thread takes a core. False if there is no memory for one.
  bool make_first();

  // The thread, which does not exist yet, is going to take a core; or it is not. Those that run meanwhile
  // wait for it.
  void expect(Thread& thread) { keep_pace(thread); }
  void expect_no_more(Thread& thread) { pace_.leave(thread); }

  // Waits for a core. The thread's time slice begins on the core returned: its context is there, and GS
  // points to it.
  Core& take(Thread& thread);

  // Around a system call, during which the thread's state is in Thread. reacquire() may return another core.
  // `waits`: the call may wait for other threads, which do not wait for this one meanwhile (pace.h).
  void release(Core& core, bool waits = true);
  Core& reacquire(Thread& thread);

  // The core's thread is collected from now on, or no longer.
  void follow_mode(Core& core);

  // Lets another thread that waits for a core have this one first. Returns the core that the thread has then.
  Core& yield(Core& core);

  // Asks all threads that run to release their cores; false if none runs.
  bool preempt_all();

  // Nobody is about to ask a thread that has released its core to do so.
  void end_requests() { Guard guard(request_lock_); }

  // Before the process ends, or becomes another program: no other thread gets a core, and those that run
  // release theirs at the next point where their state is consistent, so that their totals are complete. The
  // calling thread releases its own core. False if a thread does not release its core: it is blocked, or does
  // not stop within a second.
  bool stop_other_threads(Thread& thread);
  void resume_other_threads();

  // A thread has ended, after it released its core, or was killed: nobody owns the core from now on.
  void free_core_of(Thread& thread);

  // Calls visit(core) for each core.
  template <typename Visit>
  void for_each(Visit visit) {
    uint32_t count = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; ++i) visit(*cores_[i]);
  }

  // The levels that the cores share; null until there is a core.
  model::SharedLevels* shared_levels() { return built_shared_ ? &shared_ : nullptr; }

  // Locks all that cores share from now on. Called before fork(2) if other threads may run meanwhile.
  void lock_models();

  // Both visit locks in an order in which they can be taken. The outer lock is held while all others may be
  // taken, and may be needed by threads that wait for them.
  template <typename Visit>
  void for_each_outer_lock(Visit&& visit) {
    visit(lock_);
  }
  template <typename Visit>
  void for_each_inner_lock(Visit&& visit) {
    if (built_shared_) shared_.for_each_lock(visit);
    visit(request_lock_);
    queue_.for_each_lock(visit);
    pace_.for_each_lock(visit);
  }

  // After fork(2), in both processes.
  void doubt_frames() {
    if (built_shared_) shared_.doubt_frames();
  }

  // In a forked child, where the other threads do not exist: frees all cores but `core`, if the thread had
  // that in the parent. The models of cores that other threads were just using begin anew.
  void keep_only(Core& core, const Thread& thread);

 private:
  static constexpr uint32_t kMostCores = model::kMostHolders;
  static constexpr uint32_t kMostExtra = 8;

  [[nodiscard]] bool in_bursts() const;

  model::SharedLevels* build_shared_levels(const ModelPlan& plan);
  [[nodiscard]] ModelPlan plan_models();
  Core* make_core();
  void begin_anew(Core& core);
  // How many cores belong to a thread that has not released them, and how many of these threads wait in the
  // kernel for a page of their memory, for which there is no limit (blocked_thread.h).
  struct Running {
    uint32_t all, blocked;
  };
  [[nodiscard]] Running count_running(bool marks_blocked);
  [[nodiscard]] bool may_have_more() const;
  void allow_one_more();
  [[nodiscard]] bool is_stopped(const Thread& thread) const;
  bool preempt_threads_of(uint32_t process);
  bool claim(Core& core, uintptr_t from, Thread& thread);
  Core* claim_free(Thread& thread, uint32_t count);
  Core* claim_released(Thread& thread, uint32_t count);
  Core* make_one_more(Thread& thread);
  Core* find_core(Thread& thread);
  void preempt_one();
  void report_release();
  Core& wait_for_core(Thread& thread);
  void apply_invalidations(Core& core);
  void keep_pace(Thread& thread);
  Core& begin_time_slice(Core& core, Thread& thread);

  Recording& recording_;
  Threads& threads_;
  CodePageTable& code_pages_;
  Core* cores_[kMostCores] = {};
  model::SharedLevels shared_;
  bool built_shared_ = false;
  OnShared on_shared_ = nullptr;
  uint32_t count_ = 0;
  uint32_t most_ = 1;  // how many there may be
  uint32_t most_extra_ =
      0;  // how often `most_` may still be raised, since threads are blocked on their cores
  uint64_t pages_offset_ = 0;  // from each core, of the presence words of its code pages
  Lock lock_;                  // held while a core is made
  Lock request_lock_;          // held while a thread is asked to release its core
  CoreQueue queue_;
  Pace pace_{recording_};
  uint32_t preempted_ = 0;  // how often a core was asked for
  uint32_t released_ = 0;   // a futex: how often a core has become free while other threads are stopped
  uint32_t stopper_ = 0;    // a futex: the id of the thread that has stopped its process's others; 0: none
  uint32_t stopper_process_ = 0;  // that process: children that share this memory go on
};

}  // namespace hm::soft::direct
