// SPDX-License-Identifier: MIT
// Guard and layout of locks. Freestanding.
#pragma once

#include "base/thread_safety.h"

namespace hm::model {

// Holds a lock from its construction to its destruction (as std::lock_guard).
template <typename Lock>
class [[nodiscard]] HM_SCOPED_LOCK LockGuard {
 public:
  explicit LockGuard(Lock& lock) HM_ACQUIRES(lock) : lock_(lock) { lock_.lock(); }
  ~LockGuard() HM_RELEASES() { lock_.unlock(); }
  LockGuard(const LockGuard&) = delete;
  LockGuard& operator=(const LockGuard&) = delete;

 private:
  Lock& lock_;
};

// A lock in a separate cache line of the host, so that taking another lock does not wait for it.
template <typename Lock>
struct alignas(64) PaddedLock {
  Lock lock;
};

}  // namespace hm::model
