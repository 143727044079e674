// SPDX-License-Identifier: MIT
// Checks that a process has enough free address space for measurement in bursts.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

// Fails with kUnsupported if the session measures in bursts and the process lacks address space for a core's
// touch table. The process has no free range of that length, or its ThreadSanitizer will take all such ranges
// at program start. The process may be stopped or running.
Status has_room_for_bursts(const Session& session, pid_t process);

// Returns true if the program file's dynamic symbols contain `__tsan_init`, the entry point of
// ThreadSanitizer.
bool uses_thread_sanitizer(const std::string& path);

}  // namespace hm::soft
