// SPDX-License-Identifier: MIT
// What others have done to the lines of one owner and the owner has not applied to its caches yet: lines that
// it has lost, or may no longer write without asking. Freestanding.
#pragma once

#include <stdint.h>

#include "model/lock_guard.h"

namespace hm::model {

template <typename Lock>
class InvalidationQueue {
 public:
  // By anybody.

  // The line is invalidated (`lost`), or may no longer be written.
  void push(uint64_t line, bool lost) {
    LockGuard guard(lock_);
    uint32_t count = count_;
    if (count < kCapacity) entries_[count] = line << 1 | (lost ? 1 : 0);
    if (count <= kCapacity) __atomic_store_n(&count_, count + 1, __ATOMIC_RELEASE);
  }
  // Any line may be invalidated.
  void push_all() {
    LockGuard guard(lock_);
    __atomic_store_n(&count_, kCapacity + 1, __ATOMIC_RELEASE);
  }

  // By the owner.

  [[nodiscard]] bool empty() const { return __atomic_load_n(&count_, __ATOMIC_ACQUIRE) == 0; }
  // Empties the queue. Calls apply(line, lost) for each entry; where there were more than the queue holds,
  // calls everything() instead.
  template <typename Apply, typename Everything>
  void drain(Apply&& apply, Everything&& everything) {
    uint64_t taken[kCapacity];
    lock_.lock();
    uint32_t count = count_;
    for (uint32_t i = 0; i < count && count <= kCapacity; ++i) taken[i] = entries_[i];
    __atomic_store_n(&count_, 0u, __ATOMIC_RELEASE);
    lock_.unlock();
    if (count > kCapacity) return everything();
    for (uint32_t i = 0; i < count; ++i) apply(taken[i] >> 1, (taken[i] & 1) != 0);
  }

  // Where nobody else uses the queue: whoever held its lock does not exist any more.
  void reset_lock() { lock_.reset(); }
  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

 private:
  static constexpr uint32_t kCapacity = 256;

  Lock lock_;           // of what follows
  uint32_t count_ = 0;  // kCapacity + 1: more than it holds
  uint64_t entries_[kCapacity] = {};
};

}  // namespace hm::model
