// SPDX-License-Identifier: MIT
// Invalidations, downgrades and flushes that other cores have queued for one owner's lines, and that the
// owner has not yet applied to its caches. Freestanding.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"
#include "model/lock_guard.h"

namespace hm::model {

// What another core does to an owner's line.
enum class LineChange : uint8_t {
  kDowngraded,   // the owner may no longer write the line
  kInvalidated,  // the owner loses the line
  kFlushed,      // a flush instruction removes the line from all caches
};

template <typename Lock>
class InvalidationQueue {
 public:
  // Called by any core.

  void push(uint64_t line, LineChange change) {
    LockGuard guard(lock_);
    uint32_t count = count_;
    if (count < kCapacity) entries_[count] = line << kChangeBits | static_cast<uint64_t>(change);
    if (count <= kCapacity) __atomic_store_n(&count_, count + 1, __ATOMIC_RELEASE);
  }
  // Any line may be invalidated.
  void push_all() {
    LockGuard guard(lock_);
    __atomic_store_n(&count_, kCapacity + 1, __ATOMIC_RELEASE);
  }

  // Marks the current entries for drain_sealed().
  void seal() {
    LockGuard guard(lock_);
    sealed_ = count_;
  }

  // Called by the owner.

  [[nodiscard]] bool empty() const { return __atomic_load_n(&count_, __ATOMIC_ACQUIRE) == 0; }
  // Empties the queue. Calls apply(line, change) for each entry, or everything() if the queue has overflowed.
  template <typename Apply, typename Everything>
  void drain(Apply&& apply, Everything&& everything) {
    drain_first(false, apply, everything);
  }
  // Like drain(), for the entries that were present at the last seal().
  template <typename Apply, typename Everything>
  void drain_sealed(Apply&& apply, Everything&& everything) {
    drain_first(true, apply, everything);
  }

  // Requires that no other core uses the queue: the lock's holder no longer exists.
  void reset_lock() { lock_.reset(); }
  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

 private:
  static constexpr uint32_t kCapacity = 256;
  static constexpr unsigned kChangeBits = 2;
  static constexpr uint64_t kChange = (1u << kChangeBits) - 1;

  template <typename Apply, typename Everything>
  void drain_first(bool only_sealed, Apply&& apply, Everything&& everything) {
    uint64_t taken[kCapacity];
    lock_.lock();
    bool is_everything = count_ > kCapacity;
    uint32_t most = only_sealed ? sealed_ : kCapacity;
    uint32_t count = is_everything ? 0 : most < count_ ? most : count_;
    uint32_t left = is_everything ? 0 : count_ - count;
    for (uint32_t i = 0; i < count; ++i) taken[i] = entries_[i];
    for (uint32_t i = 0; i < left; ++i) entries_[i] = entries_[count + i];
    sealed_ = 0;
    __atomic_store_n(&count_, left, __ATOMIC_RELEASE);
    lock_.unlock();
    if (is_everything) return everything();
    for (uint32_t i = 0; i < count; ++i)
      apply(taken[i] >> kChangeBits, static_cast<LineChange>(taken[i] & kChange));
  }

  Lock lock_;
  uint32_t count_ HM_GUARDED_BY(lock_) = 0;   // kCapacity + 1: the queue has overflowed
  uint32_t sealed_ HM_GUARDED_BY(lock_) = 0;  // number of sealed entries, from the first one on
  uint64_t entries_[kCapacity] HM_GUARDED_BY(lock_) = {};
};

}  // namespace hm::model
