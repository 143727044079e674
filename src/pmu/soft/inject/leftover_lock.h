// SPDX-License-Identifier: MIT
// Ensures that one process at a time loads an engine into another, or removes a killed recorder's leftover
// from it.
#pragma once

#include <sys/types.h>

#include "base/unique_fd.h"

namespace hm::soft {

// A flock(2) lock on /proc/PID/mem, which only processes that may trace the process can open.
class LeftoverLock {
 public:
  // Returns false while another process holds the lock of `process`.
  bool take(pid_t process);
  void release() { file_ = UniqueFd(); }

 private:
  UniqueFd file_;
};

}  // namespace hm::soft
