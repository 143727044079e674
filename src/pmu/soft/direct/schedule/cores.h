// SPDX-License-Identifier: MIT
// Assigns threads to modelled cores. There is one modelled core for each host CPU that the target may use. So
// it costs nothing that a running thread has a core to itself. A thread releases its core around a system
// call, and gets the same core back unless another thread has taken it meanwhile.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"
#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/direct/schedule/code_pages.h"
#include "pmu/soft/direct/schedule/core_queue.h"
#include "pmu/soft/direct/schedule/pace.h"
#include "pmu/soft/direct/schedule/threads.h"
#include "pmu/soft/direct/session/ring_recording.h"

namespace hm::soft::direct {

class Cores {
 public:
  constexpr Cores(Recording& recording, Threads& threads, CodePageTable& code_pages)
      : recording_(recording), threads_(threads), code_pages_(code_pages) {}

  // `most`: maximum number of cores while no thread is blocked in the middle of its code. Cores are created
  // on demand. on_shared(levels) is called once the levels that the cores share have been built.
  using OnShared = void (*)(model::SharedLevels& levels);
  // `keeps_pace`: threads that run at the same time run in step (pace.h).
  void prepare(uint32_t most, bool keeps_pace, OnShared on_shared);

  Pace& pace() { return pace_; }

  // Called before the first thread takes a core. Returns false if there is no memory for a core.
  bool make_first();

  // expect(): the thread, which does not exist yet, is about to take a core; running threads wait for it.
  // expect_no_more(): the thread will not take a core after all.
  void expect(Thread& thread) { keep_pace(thread); }
  void expect_no_more(Thread& thread) { pace_.leave(thread); }

  // Waits for a core. The thread's time slice begins on the core returned, which holds the thread's context.
  // GS points to the core.
  Core& take(Thread& thread);

  // Called around a system call, during which the thread's state is in Thread. reacquire() may return another
  // core. `waits`: the call may wait for other threads, so these do not wait for this thread meanwhile
  // (pace.h).
  void release(Core& core, bool waits = true);
  Core& reacquire(Thread& thread);

  // Called when the collection of the core's thread has begun or ended.
  void follow_mode(Core& core);

  // Lets another thread that waits for a core have this one first. Returns the core that the calling thread
  // then has.
  Core& yield(Core& core);

  // Requests all running threads to release their cores. Returns false if none runs.
  bool preempt_all();

  // Waits until no thread is sending a request to release a core to a thread that has already done so.
  void end_requests() { Guard guard(request_lock_); }
  // Calls send(), which sends requests of its own. No end_requests() returns meanwhile.
  template <typename Send>
  void while_none_ends_requests(Send&& send) {
    Guard guard(request_lock_);
    send();
  }

  // Called before the process ends or executes another program. No other thread gets a core. Running threads
  // release their cores once their state is consistent, so that their totals are complete. The calling thread
  // releases its own core. Returns false if a thread does not release its core because it is blocked or does
  // not stop within a second.
  bool stop_other_threads(Thread& thread);
  void resume_other_threads();

  // Frees the core of a thread that has ended after it released its core, or was killed.
  void free_core_of(Thread& thread);

  // Calls visit(core) for each core.
  template <typename Visit>
  void for_each(Visit visit) {
    uint32_t count = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; ++i) visit(*cores_[i]);
  }

  // Returns the levels that the cores share; null until there is a core.
  model::SharedLevels* shared_levels() { return built_shared_ ? &shared_ : nullptr; }

  // From now on, all data that the cores share are locked. Called before fork(2) if other threads may run
  // meanwhile.
  void lock_models();

  // Both functions visit locks in an order in which they can be taken. All other locks may be taken while the
  // outer lock is held, and threads that wait for them may need it.
  template <typename Visit>
  void for_each_outer_lock(Visit&& visit) {
    visit(lock_);
  }
  template <typename Visit>
  void for_each_inner_lock(Visit&& visit) {
    pace_.for_each_lock(visit);  // held while the shared levels' queues are sealed
    if (built_shared_) shared_.for_each_lock(visit);
    visit(request_lock_);
    queue_.for_each_lock(visit);
  }

  // Called after fork(2), in both processes.
  void doubt_frames() {
    if (built_shared_) shared_.doubt_frames();
  }

  // For a forked child, in which the other threads do not exist. Frees all cores except `core`, if the thread
  // had that core in the parent. The models of cores that other threads were using are built anew.
  void keep_only(Core& core, const Thread& thread);

 private:
  static constexpr uint32_t kMaxCores = model::kMaxHolders;
  static constexpr uint32_t kMaxExtra = 8;

  [[nodiscard]] bool in_bursts() const;

  model::SharedLevels* build_shared_levels(const ModelPlan& plan);
  [[nodiscard]] ModelPlan plan_models() HM_REQUIRES(lock_);
  Core* make_core() HM_REQUIRES(lock_);
  void begin_anew(Core& core) HM_REQUIRES(lock_);
  // `all`: number of cores with a thread that has not released its core. `blocked`: number of these threads
  // that are blocked in a page fault, which may last any time (blocked_thread.h).
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
  Core* cores_[kMaxCores] = {};
  model::SharedLevels shared_;
  bool built_shared_ = false;
  OnShared on_shared_ = nullptr;
  uint32_t count_ HM_GUARDED_BY(lock_) = 0;
  uint32_t most_ HM_GUARDED_BY(lock_) = 1;  // maximum number of cores
  uint32_t max_extra_ HM_GUARDED_BY(lock_) =
      0;  // how often `most_` may still be raised because threads are blocked on their cores
  uint64_t pages_offset_ = 0;  // offset of the presence words of code pages, from each core
  Lock lock_;                  // held while a core is made
  Lock request_lock_;          // held while a thread is requested to release its core
  CoreQueue queue_;
  Pace pace_{recording_};
  uint32_t preempted_ = 0;  // number of requests to release a core
  uint32_t released_ = 0;   // a futex: number of times a core has become free while other threads are stopped
  uint32_t stopper_ = 0;    // a futex: ID of the thread that has stopped the other threads of its process; 0:
                            // none
  uint32_t stopper_process_ = 0;  // ID of that process: child processes that share this memory continue
};

}  // namespace hm::soft::direct
