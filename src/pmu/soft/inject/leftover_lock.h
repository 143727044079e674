// SPDX-License-Identifier: MIT
// Ensures that only one process at a time loads an engine into another process, or removes the engine of a
// killed recorder.
#pragma once

#include <sys/types.h>

#include "base/unique_fd.h"

namespace hm::soft {

// A flock(2) lock on /proc/PID/mem, which only processes that may trace the process can open.
class LeftoverLock {
 public:
  // Returns false if another process holds the lock of `process`.
  bool take(pid_t process);
  void release() { file_ = UniqueFd(); }

 private:
  UniqueFd file_;
};

}  // namespace hm::soft
