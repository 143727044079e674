// SPDX-License-Identifier: MIT
// A child process that does one piece of work and reports its status.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>

#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::agent {

// A child process returns all memory that its work takes, and may crash without ending the parent. It ends
// when its parent ends or this object is destroyed. The work must not take a lock that another thread here
// may hold, because that thread does not exist in the child.
class Child {
 public:
  [[nodiscard]] static Result<Child> start(const std::function<Status()>& work);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  // Returns whether the child has ended or ends within `patience`.
  [[nodiscard]] bool ends_within(std::chrono::milliseconds patience) const;
  void kill();
  // Waits for the child's end and returns the work's error, or kIo if the child was killed. Call it only
  // once.
  [[nodiscard]] Status result();

 private:
  Child(pid_t process, UniqueFd message) : process_(process), message_(std::move(message)) {}

  pid_t process_;     // 0 after it has been waited for
  UniqueFd message_;  // pipe that carries the work's error
};

// Runs the work in a child process and returns its error. Polls `stops` often, and kills the child if it
// returns true.
[[nodiscard]] Status in_own_process(const std::function<Status()>& work, const std::function<bool()>& stops);

}  // namespace hm::agent
