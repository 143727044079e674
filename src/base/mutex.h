// SPDX-License-Identifier: MIT
// std::mutex and std::lock_guard with the attributes that clang checks (base/thread_safety.h), which those of
// the standard library lack.
#pragma once

#include <mutex>

#include "base/thread_safety.h"

namespace hm {

class HM_LOCK Mutex {
 public:
  void lock() HM_ACQUIRES() { mutex_.lock(); }
  void unlock() HM_RELEASES() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

// Holds the mutex from its construction to its destruction.
class [[nodiscard]] HM_SCOPED_LOCK MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) HM_ACQUIRES(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() HM_RELEASES() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace hm
