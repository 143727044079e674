// SPDX-License-Identifier: MIT
// Hides the engine's own file descriptors from the target's system calls.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// close, close_range, dup2, dup3.
int64_t change_descriptors(const Thread& thread, uint64_t number);

}  // namespace hm::soft::direct
