// SPDX-License-Identifier: MIT
// Checks whether a process has enough address space for bursts.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

// kUnsupported: the session measures in bursts, and the process, stopped or running, has no free range that
// is as long as a core's touch table, or is about to take all of them: ThreadSanitizer does so at a program's
// start.
Status has_room_for_bursts(const Session& session, pid_t process);

// Whether the dynamic symbols of a program file contain ThreadSanitizer's first function.
bool uses_thread_sanitizer(const std::string& path);

}  // namespace hm::soft
