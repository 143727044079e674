// SPDX-License-Identifier: MIT
// Checks, with data from /proc, of a process that the engine is to be loaded into.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace hm::soft {

// True if the process exists and is a descendant of this process. Orphans become children of the recorder,
// which is a subreaper (prctl(2)).
bool descends_from_us(pid_t process);

// True if the thread belongs to the process.
bool has_thread(pid_t process, pid_t thread);

// True if the process does not exist or is a zombie.
bool is_gone(pid_t process);

// Returns the number in a line of /proc/PID/status such as "TracerPid"; 0 if there is no such line.
long status_field(pid_t process, std::string_view name);

// Fails if the engine cannot run in the process. The engine needs /proc, and system calls that a sandbox may
// forbid and punish by killing the process.
Status suits_engine(pid_t process);

}  // namespace hm::soft
