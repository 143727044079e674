// SPDX-License-Identifier: MIT
// Checks a process with /proc before the engine is loaded into it.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace hm::soft {

// Whether the process exists and is a descendant of this process. An orphan becomes a child of the recorder,
// which is a subreaper (prctl(2)).
bool descends_from_us(pid_t process);

// Whether the thread belongs to the process.
bool has_thread(pid_t process, pid_t thread);

// Whether the process does not exist, or is a zombie.
bool is_gone(pid_t process);

// Returns the number in a line of /proc/PID/status, such as "TracerPid"; 0 if there is no line with this
// name.
long status_field(pid_t process, std::string_view name);

// Checks whether the engine can run in the process. It needs the session, /proc, and system calls that a
// sandbox may forbid, which would kill the process.
Status suits_engine(pid_t process, const std::string& session_folder);

}  // namespace hm::soft
