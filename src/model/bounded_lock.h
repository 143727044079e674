// SPDX-License-Identifier: MIT
// A lock between processes, for the case that its holder is killed: lock() returns after some hundredths of a
// second even if the lock is still held. Only for data that stays usable if two processes change it at once,
// although one of the changes may then be lost. Freestanding.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"

namespace hm::model {

class HM_LOCK BoundedLock {
 public:
  void lock() HM_ACQUIRES() {
    uint32_t looks = 0;
    while (__atomic_exchange_n(&held_, 1, __ATOMIC_SEQ_CST) != 0) {
      while (__atomic_load_n(&held_, __ATOMIC_RELAXED) != 0) {
        if (++looks == kMaxLooks) return;
        __builtin_ia32_pause();
      }
    }
  }
  void unlock() HM_RELEASES() { __atomic_store_n(&held_, 0, __ATOMIC_RELEASE); }
  // Requires that no other process uses the lock.
  void reset() { held_ = 0; }

 private:
  static constexpr uint32_t kMaxLooks = 1 << 20;

  uint32_t held_ = 0;
};

}  // namespace hm::model
