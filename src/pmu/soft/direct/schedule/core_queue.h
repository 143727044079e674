// SPDX-License-Identifier: MIT
// The queue of threads that wait for a core, in the order in which they came; those with a signal to take go
// first.
#pragma once

#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/runtime/lock.h"

namespace hm::soft::direct {

class CoreQueue {
 public:
  [[nodiscard]] bool empty() const { return first() == nullptr; }
  [[nodiscard]] bool is_first(const Thread& thread) const { return first() == &thread; }

  void join(Thread& thread) {
    Guard guard(lock_);
    Thread** end = &first_;
    while (*end != nullptr) end = &(*end)->next_waiting;
    insert(thread, end);
  }
  void go_first(Thread& thread) {
    Guard guard(lock_);
    remove(thread);
    insert(thread, &first_);
  }
  // Removes the thread, if it is in the queue.
  void leave(Thread& thread) {
    Guard guard(lock_);
    remove(thread);
  }

  // In a forked child, where no other thread exists.
  void reset() {
    lock_.reset();
    first_ = nullptr;
  }

 private:
  [[nodiscard]] Thread* first() const { return __atomic_load_n(&first_, __ATOMIC_SEQ_CST); }
  static void insert(Thread& thread, Thread** place) {
    thread.next_waiting = *place;
    __atomic_store_n(place, &thread, __ATOMIC_SEQ_CST);
  }
  void remove(const Thread& thread) {
    for (Thread** place = &first_; *place != nullptr; place = &(*place)->next_waiting) {
      if (*place != &thread) continue;
      __atomic_store_n(place, thread.next_waiting, __ATOMIC_SEQ_CST);
      return;
    }
  }

  Lock lock_;
  Thread* first_ = nullptr;
};

}  // namespace hm::soft::direct
