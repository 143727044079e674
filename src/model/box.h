// SPDX-License-Identifier: MIT
// What others have done to somebody's lines, until he looks. Freestanding.
#pragma once

#include <stdint.h>

#include "model/holding.h"

namespace hm::model {

template <typename Lock>
class Box {
 public:
  // By anybody.

  // The line is lost, or may be written no longer.
  void leave(uint64_t line, bool lost) {
    Holding guard(lock_);
    uint32_t count = count_;
    if (count < kMost) news_[count] = line << 1 | (lost ? 1 : 0);
    if (count <= kMost) __atomic_store_n(&count_, count + 1, __ATOMIC_RELEASE);
  }
  // Any line may be lost.
  void leave_all() {
    Holding guard(lock_);
    __atomic_store_n(&count_, kMost + 1, __ATOMIC_RELEASE);
  }

  // By its owner.

  [[nodiscard]] bool has_news() const { return __atomic_load_n(&count_, __ATOMIC_ACQUIRE) != 0; }
  // Calls apply(line, lost) for each; or, where there was too much to remember, everything().
  template <typename Apply, typename Everything>
  void take(Apply&& apply, Everything&& everything) {
    uint64_t taken[kMost];
    lock_.lock();
    uint32_t count = count_;
    for (uint32_t i = 0; i < count && count <= kMost; ++i) taken[i] = news_[i];
    __atomic_store_n(&count_, 0u, __ATOMIC_RELEASE);
    lock_.unlock();
    if (count > kMost) return everything();
    for (uint32_t i = 0; i < count; ++i) apply(taken[i] >> 1, (taken[i] & 1) != 0);
  }

  // Where nobody else is: whoever was at work here is not there.
  void reset_lock() { lock_.reset(); }

 private:
  static constexpr uint32_t kMost = 256;

  Lock lock_;           // of what follows
  uint32_t count_ = 0;  // kMost + 1: too many
  uint64_t news_[kMost] = {};
};

}  // namespace hm::model
