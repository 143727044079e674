// SPDX-License-Identifier: MIT
// What /proc tells of a process that the engine may be brought into.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.h"

namespace hm::soft {

// Whether the process is there and a child of ours, or a child's, and so on. Who has lost its parent is a
// child of the recorder, which is a subreaper (prctl(2)).
bool descends_from_us(pid_t process);

// Whether the engine can work where the process is: it needs the session, /proc, and system calls that a
// sandbox may forbid, which would end the process.
Status suits_engine(pid_t process, const std::string& session_folder);

}  // namespace hm::soft
