// SPDX-License-Identifier: MIT
// The queue of threads that wait for a core, in order of arrival. Threads with a signal to take go first.
// Only the first thread of the queue looks for a core. Each thread sleeps on a futex of its own. It is woken
// when it becomes the first thread, or when it is the first and a core becomes free. So the cost of releasing
// a core does not depend on the number of waiting threads.
#pragma once

#include "base/thread_safety.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/runtime/lock.h"

namespace hm::soft::direct {

class CoreQueue {
 public:
  [[nodiscard]] bool empty() const { return first() == nullptr; }
  [[nodiscard]] bool is_first(const Thread& thread) const { return first() == &thread; }

  void join(Thread& thread) {
    Guard guard(lock_);
    insert(thread, last_);
  }
  void go_first(Thread& thread) {
    Guard guard(lock_);
    remove(thread);
    insert(thread, nullptr);
  }
  // Removes the thread if it is in the queue, and wakes the thread that then comes first.
  void leave(Thread& thread) {
    Thread* next = nullptr;
    {
      Guard guard(lock_);
      bool was_first = first_ == &thread;
      remove(thread);
      if (was_first) next = first_;
    }
    wake(next);
  }

  // Called when a core has become free.
  void wake_first() {
    if (empty()) return;
    Thread* next = nullptr;
    {
      Guard guard(lock_);
      next = first_;
    }
    wake(next);
  }
  // Wakes a thread of the queue. A Thread's memory is never unmapped, so waking a thread that has ended
  // meanwhile is harmless.
  static void wake(Thread* thread) {
    if (thread == nullptr) return;
    if (__atomic_exchange_n(&thread->woken, 1u, __ATOMIC_SEQ_CST) == 0) futex_wake(&thread->woken);
  }

  // Called by a thread of the queue: if it is woken after begin_look(), the next sleep() ends at once.
  static void begin_look(Thread& thread) { __atomic_exchange_n(&thread.woken, 0u, __ATOMIC_SEQ_CST); }
  static void sleep(Thread& thread, uint64_t timeout_ns) { futex_wait(&thread.woken, 0, timeout_ns); }

  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

  // For a forked child, in which no other thread exists.
  void forget_all() {
    Guard guard(lock_);
    first_ = last_ = nullptr;
  }

 private:
  [[nodiscard]] Thread* first() const { return __atomic_load_n(&first_, __ATOMIC_SEQ_CST); }

  // Inserts the thread behind `before`, or as the first if that is null.
  void insert(Thread& thread, Thread* before) HM_REQUIRES(lock_) {
    Thread* after = before == nullptr ? first_ : before->next_waiting;
    thread.is_waiting = true;
    thread.previous_waiting = before;
    thread.next_waiting = after;
    (after == nullptr ? last_ : after->previous_waiting) = &thread;
    if (before != nullptr) before->next_waiting = &thread;
    if (before == nullptr) set_first(&thread);
  }
  void remove(Thread& thread) HM_REQUIRES(lock_) {
    if (!thread.is_waiting) return;
    Thread *before = thread.previous_waiting, *after = thread.next_waiting;
    thread.is_waiting = false;
    (after == nullptr ? last_ : after->previous_waiting) = before;
    if (before != nullptr) before->next_waiting = after;
    if (before == nullptr) set_first(after);
  }
  void set_first(Thread* thread) HM_REQUIRES(lock_) { __atomic_store_n(&first_, thread, __ATOMIC_SEQ_CST); }

  Lock lock_;
  Thread* first_ HM_GUARDED_BY(lock_) = nullptr;
  Thread* last_ HM_GUARDED_BY(lock_) = nullptr;
};

}  // namespace hm::soft::direct
