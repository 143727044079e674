// SPDX-License-Identifier: MIT
// Holds a lock from its construction to its destruction (as std::lock_guard). Freestanding.
#pragma once

namespace hm::model {

template <typename Lock>
class [[nodiscard]] LockGuard {
 public:
  explicit LockGuard(Lock& lock) : lock_(lock) { lock_.lock(); }
  ~LockGuard() { lock_.unlock(); }
  LockGuard(const LockGuard&) = delete;
  LockGuard& operator=(const LockGuard&) = delete;

 private:
  Lock& lock_;
};

}  // namespace hm::model
