// SPDX-License-Identifier: MIT
// Who called: found by frame pointers, as the kernel does, or left to the recorder, which gets the stack.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// Writes the return addresses of the callers of `ip` to `chain`, innermost first; returns how many, at most
// `depth`. A function without a frame is left out, or ends the chain.
uint32_t walk_frames(const Context& context, uint64_t ip, uint32_t depth, uint64_t* chain);

// Sends the recorder what lies from the stack pointer up (ring/stack_record.h), as far as there is memory.
void send_stack(const Thread& thread, uint64_t stack_pointer);

}  // namespace hm::soft::direct
