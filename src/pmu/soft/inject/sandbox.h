// SPDX-License-Identifier: MIT
// Processes with filters of system calls (seccomp(2)), as every container of Docker and podman has one.
#pragma once

#include <sys/types.h>

#include <map>

#include "base/result.h"

namespace hm::soft {

class Sandbox {
 public:
  // Fails if the stopped thread of the process has filters that this process lacks, unless they let the
  // engine work.
  [[nodiscard]] Status check(pid_t process, pid_t thread);

 private:
  std::map<pid_t, long> checked_;  // by thread: its number of filters. A thread cannot remove filters
};

}  // namespace hm::soft
