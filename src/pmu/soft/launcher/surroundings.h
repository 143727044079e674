// SPDX-License-Identifier: MIT
// Checks, with data from /proc, of a process that the engine is to be loaded into.
#pragma once

#include <sys/types.h>

#include "base/result.h"

namespace hm::soft {

// True if the process exists and is a descendant of this process. Orphans become children of the recorder,
// which is a subreaper (prctl(2)).
bool descends_from_us(pid_t process);

// True if the thread belongs to the process.
bool has_thread(pid_t process, pid_t thread);

// True if the process does not exist or is a zombie.
bool is_gone(pid_t process);

// Fails if the engine cannot run in the process, because it would not find /proc.
Status suits_engine(pid_t process);

}  // namespace hm::soft
