// SPDX-License-Identifier: MIT
// Checks, by /proc, of a process into which the engine may be loaded.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace hm::soft {

// Whether the process exists and is a descendant of ours. A process whose parent has ended becomes a child of
// the recorder, which is a subreaper (prctl(2)).
bool descends_from_us(pid_t process);

// Whether the thread is one of the process's.
bool has_thread(pid_t process, pid_t thread);

// Whether there is no such process any more, or only what is left of it until its parent has heard.
bool is_gone(pid_t process);

// The number that a line of /proc/PID/status has, such as "TracerPid"; 0 where there is no such line.
long status_field(pid_t process, std::string_view name);

// Whether the engine can run in the process: it needs the session, /proc, and system calls that a sandbox may
// forbid, which would kill the process.
Status suits_engine(pid_t process, const std::string& session_folder);

}  // namespace hm::soft
