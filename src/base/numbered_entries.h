// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace hm {

// Returns the entries of a folder whose names are numbers, in no order: processes in /proc, threads in
// /proc/PID/task (proc(5)). Returns an empty vector if the folder cannot be read, for example because the
// process has ended.
[[nodiscard]] std::vector<pid_t> numbered_entries(const std::string& folder);

}  // namespace hm
