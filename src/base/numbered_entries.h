// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace hm {

// The entries of a folder whose names are numbers, in no order: processes in /proc, threads in /proc/PID/task
// (proc(5)). None where it cannot be read, as of a process that has ended.
[[nodiscard]] std::vector<pid_t> numbered_entries(const std::string& folder);

}  // namespace hm
