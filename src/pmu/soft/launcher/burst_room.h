// SPDX-License-Identifier: MIT
// Checks whether a process has enough address space for bursts.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

// Fails with kUnsupported if the session measures in bursts and the process, stopped or running, has no free
// range of the length of a core's touch table. Also fails if the process is about to take all free ranges, as
// ThreadSanitizer does at a program's start.
Status has_room_for_bursts(const Session& session, pid_t process);

// Whether the dynamic symbols of a program file contain ThreadSanitizer's first function.
bool uses_thread_sanitizer(const std::string& path);

}  // namespace hm::soft
