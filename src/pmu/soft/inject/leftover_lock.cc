// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/leftover_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>

namespace hm::soft {

// If the file cannot be opened, the process has ended or may not be traced: no recorder can change it.
bool LeftoverLock::take(pid_t process) {
  UniqueFd file(::open(fmt::format("/proc/{}/mem", process).c_str(), O_RDONLY | O_CLOEXEC));
  bool is_held = file.valid() && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (is_held) return false;
  file_ = std::move(file);
  return true;
}

}  // namespace hm::soft
