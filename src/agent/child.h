// SPDX-License-Identifier: MIT
// A process that does one thing and says how that went.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>

#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::agent {

// It gives back the memory that its work takes, and its end is not this process's. It ends with its parent,
// and with this. The work must not take a lock that another thread here may hold: that thread is not in it.
class Child {
 public:
  [[nodiscard]] static Result<Child> start(const std::function<Status()>& work);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  // It has, or it does so in the meantime.
  [[nodiscard]] bool ends_within(std::chrono::milliseconds patience) const;
  void kill();
  // Waits for its end. The work's error, or kIo where it was killed. Once.
  [[nodiscard]] Status result();

 private:
  Child(pid_t process, UniqueFd message) : process_(process), message_(std::move(message)) {}

  pid_t process_;     // 0: it has been waited for
  UniqueFd message_;  // the error's, until the end
};

// The work's error is this one's. It is killed when `stops` says so, which is asked often.
[[nodiscard]] Status in_own_process(const std::function<Status()>& work, const std::function<bool()>& stops);

}  // namespace hm::agent
