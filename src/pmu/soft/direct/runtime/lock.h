// SPDX-License-Identifier: MIT
// A mutex without a C library (futex(2)). Freestanding.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"
#include "model/lock_guard.h"
#include "pmu/soft/direct/runtime/lock_order.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft::direct {

class HM_LOCK Lock {
 public:
  void lock() HM_ACQUIRES() {
    if (position_ != 0) [[unlikely]]
      note_taken(position_);
    uint32_t free = 0;
    if (__atomic_compare_exchange_n(&state_, &free, kHeld, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
    while (__atomic_exchange_n(&state_, kContended, __ATOMIC_ACQUIRE) != 0)
      futex_wait(&state_, kContended, kTimeoutNs);
  }
  void unlock() HM_RELEASES() {
    if (__atomic_exchange_n(&state_, 0u, __ATOMIC_RELEASE) == kContended) futex_wake(&state_);
    if (position_ != 0) [[unlikely]]
      note_released(position_);
  }
  // For a forked child, in which the thread that held the lock does not exist. The calling thread has taken
  // the lock before the fork.
  void reset() {
    state_ = 0;
    if (position_ != 0) note_released(position_);
  }

  // From now on, the order in which threads take this lock is checked (lock_order.h). Called while no thread
  // holds the lock.
  void check_order(uint32_t position) { position_ = position; }

 private:
  static constexpr uint32_t kHeld = 1, kContended = 2;
  static constexpr uint64_t kTimeoutNs = 1000000000;

  uint32_t state_ = 0;
  uint32_t position_ = 0;  // in the order of locks, if the order is checked; else 0
};

using Guard = model::LockGuard<Lock>;

}  // namespace hm::soft::direct
