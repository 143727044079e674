// SPDX-License-Identifier: MIT
// A spin lock, for the few instructions in which cores change what they share. Freestanding.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"

namespace hm::model {

class HM_LOCK SpinLock {
 public:
  void lock() HM_ACQUIRES() {
    while (__atomic_exchange_n(&held_, 1, __ATOMIC_SEQ_CST) != 0) {
      while (__atomic_load_n(&held_, __ATOMIC_RELAXED) != 0) __builtin_ia32_pause();
    }
  }
  void unlock() HM_RELEASES() { __atomic_store_n(&held_, 0, __ATOMIC_RELEASE); }
  // Called in a forked child, which lacks the thread that held the lock.
  void reset() { held_ = 0; }

 private:
  uint32_t held_ = 0;
};

}  // namespace hm::model
