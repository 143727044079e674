// SPDX-License-Identifier: MIT
// A lock between processes, whose holder may be killed: lock() returns after some hundredths of a second even
// if the lock is still held. Only for data that stays usable where two change it at once, though the change
// of one of them may then be lost. Freestanding.
#pragma once

#include <stdint.h>

namespace hm::model {

class BoundedLock {
 public:
  void lock() {
    uint32_t looks = 0;
    while (__atomic_exchange_n(&held_, 1, __ATOMIC_SEQ_CST) != 0) {
      while (__atomic_load_n(&held_, __ATOMIC_RELAXED) != 0) {
        if (++looks == kMostLooks) return;
        __builtin_ia32_pause();
      }
    }
  }
  void unlock() { __atomic_store_n(&held_, 0, __ATOMIC_RELEASE); }
  // Only where no other process uses it.
  void reset() { held_ = 0; }

 private:
  static constexpr uint32_t kMostLooks = 1 << 20;

  uint32_t held_ = 0;
};

}  // namespace hm::model
