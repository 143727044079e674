// SPDX-License-Identifier: MIT
// Callers by frame pointers, as the kernel finds them.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"

namespace hm::soft::direct {

// Return addresses behind `ip`, innermost first; how many there are in `chain`, at most `depth`. A function
// without a frame is passed over, or ends the chain.
uint32_t walk_frames(const Context& context, uint64_t ip, uint32_t depth, uint64_t* chain);

}  // namespace hm::soft::direct
