// SPDX-License-Identifier: MIT
// Holds a lock as long as it lives. Freestanding.
#pragma once

namespace hm::model {

template <typename Lock>
class [[nodiscard]] Holding {
 public:
  explicit Holding(Lock& lock) : lock_(lock) { lock_.lock(); }
  ~Holding() { lock_.unlock(); }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

 private:
  Lock& lock_;
};

}  // namespace hm::model
