// SPDX-License-Identifier: MIT
// Programs that the target becomes.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/thread.h"

namespace hm::soft::direct {

// execve, execveat, of a thread that has stepped aside: returns where it fails.
int64_t replace_program(Thread& thread, uint64_t number);

}  // namespace hm::soft::direct
