// SPDX-License-Identifier: MIT
// The engine's own file descriptors are not there as far as the target's calls go.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/thread.h"

namespace hm::soft::direct {

// close, close_range, dup2, dup3.
int64_t change_descriptors(const Thread& thread, uint64_t number);

}  // namespace hm::soft::direct
