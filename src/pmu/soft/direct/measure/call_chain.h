// SPDX-License-Identifier: MIT
// Call chains: found by frame pointers, as the kernel does, or left to the recorder, which then receives the
// stack.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// Writes `ip` and the return addresses of its callers to `chain`, innermost first. Returns the length, at
// most `depth`. A function without a frame is left out, or ends the chain.
uint32_t walk_frames(const Context& context, uint64_t ip, uint32_t depth, uint64_t* chain);

// Sends the recorder the stack from `stack_pointer` upwards (ring/stack_record.h), as far as it is readable.
void send_stack(const Thread& thread, uint64_t stack_pointer);

}  // namespace hm::soft::direct
