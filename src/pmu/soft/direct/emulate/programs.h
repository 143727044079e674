// SPDX-License-Identifier: MIT
// execve(2) and execveat(2).
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// Executes execve or execveat for a thread that has released its core. Returns only if the call fails.
int64_t replace_program(Thread& thread, uint64_t number);

}  // namespace hm::soft::direct
