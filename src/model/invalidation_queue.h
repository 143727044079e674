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

  // Those that stand in the queue now are the ones for drain_sealed().
  void seal() {
    LockGuard guard(lock_);
    sealed_ = count_;
  }

  // By the owner.

  [[nodiscard]] bool empty() const { return __atomic_load_n(&count_, __ATOMIC_ACQUIRE) == 0; }
  // Empties the queue. Calls apply(line, lost) for each entry; where there were more than the queue holds,
  // calls everything() instead.
  template <typename Apply, typename Everything>
  void drain(Apply&& apply, Everything&& everything) {
    drain_first(kCapacity + 1, apply, everything);
  }
  // Likewise of those that were there when it was sealed.
  template <typename Apply, typename Everything>
  void drain_sealed(Apply&& apply, Everything&& everything) {
    drain_first(sealed_, apply, everything);
  }

  // Where nobody else uses the queue: whoever held its lock does not exist any more.
  void reset_lock() { lock_.reset(); }
  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

 private:
  static constexpr uint32_t kCapacity = 256;

  template <typename Apply, typename Everything>
  void drain_first(uint32_t most, Apply&& apply, Everything&& everything) {
    uint64_t taken[kCapacity];
    lock_.lock();
    bool is_everything = count_ > kCapacity;
    uint32_t count = is_everything ? 0 : most < count_ ? most : count_;
    uint32_t left = is_everything ? 0 : count_ - count;
    for (uint32_t i = 0; i < count; ++i) taken[i] = entries_[i];
    for (uint32_t i = 0; i < left; ++i) entries_[i] = entries_[count + i];
    sealed_ = 0;
    __atomic_store_n(&count_, left, __ATOMIC_RELEASE);
    lock_.unlock();
    if (is_everything) return everything();
    for (uint32_t i = 0; i < count; ++i) apply(taken[i] >> 1, (taken[i] & 1) != 0);
  }

  Lock lock_;            // of what follows
  uint32_t count_ = 0;   // kCapacity + 1: more than it holds
  uint32_t sealed_ = 0;  // the first ones
  uint64_t entries_[kCapacity] = {};
};

}  // namespace hm::model
