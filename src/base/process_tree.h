// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace hm {

// The processes, those that they started, and so on, as /proc tells them now (proc(5)); without those that
// are gone or zombies. Its order is that of their numbers.
[[nodiscard]] std::vector<pid_t> with_descendants(const std::vector<pid_t>& pids,
                                                  const std::string& proc = "/proc");

}  // namespace hm
