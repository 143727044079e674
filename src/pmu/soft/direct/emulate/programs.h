// SPDX-License-Identifier: MIT
// execve.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// Does execve or execveat, by a thread that has released its core. Returns only where the call fails.
int64_t replace_program(Thread& thread, uint64_t number);

}  // namespace hm::soft::direct
