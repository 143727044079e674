// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace hm {

// Returns the processes `pids` and all their current descendants according to /proc (proc(5)), without
// zombies and processes that have ended. The result is sorted by process ID.
[[nodiscard]] std::vector<pid_t> with_descendants(const std::vector<pid_t>& pids,
                                                  const std::string& proc = "/proc");

}  // namespace hm
