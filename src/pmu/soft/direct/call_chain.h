// SPDX-License-Identifier: MIT
// Finds callers by frame pointers, as the kernel does.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"

namespace hm::soft::direct {

// Writes the return addresses of the callers of `ip` to `chain`, innermost first; returns how many, at most
// `depth`. A function without a frame is left out, or ends the chain.
uint32_t walk_frames(const Context& context, uint64_t ip, uint32_t depth, uint64_t* chain);

}  // namespace hm::soft::direct
