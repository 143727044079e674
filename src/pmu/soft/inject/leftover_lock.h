// SPDX-License-Identifier: MIT
// One process at a time brings an engine into another, or removes what a killed recorder left there.
#pragma once

#include <sys/types.h>

#include "base/unique_fd.h"

namespace hm::soft {

// A lock of flock(2) on /proc/PID/mem: only those that may trace the process can open that.
class LeftoverLock {
 public:
  // False while another process holds the lock of `process`.
  bool take(pid_t process);
  void release() { file_ = UniqueFd(); }

 private:
  UniqueFd file_;
};

}  // namespace hm::soft
