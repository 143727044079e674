// SPDX-License-Identifier: MIT
// Runs one instruction natively: at its own address, with the program's own registers, under the trap flag.
//
// This is how the engine treats what it cannot copy: instructions that the decoder does not know, far
// transfers, jumps to where no code is, and every instruction while the program has set the trap flag itself.
// The processor and the kernel do what they always do, and a fault has the address and the registers that it
// has natively.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/signal_layout.h"
#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// Whether the instruction at the core's ip has to run natively, because the program has set the trap flag.
inline bool is_traced(const Core& core) { return core.thread->signals.trap_flag; }

// The core was left by an indirect branch to an address that no code can have: undoes the branch, so that a
// native step of it faults as the processor has it, at the branch or at its target. Does nothing for other
// addresses.
void undo_invalid_branch(Core& core);

// Prepares the native step of the instruction at the core's ip. Returns the code to continue with, which
// raises a signal: the kernel's return from it loads all registers at once. If the instruction uses the GS
// segment, which is the engine's, the process leaves the engine instead, and this does not return.
const uint8_t* begin_native_step(Core& core);

// In the handler of that signal: `context` holds the program's state, and is changed so that the instruction
// runs.
void start_native_step(Core& core, UserContext& context);

// The processor has reported the trap behind the instruction, or its fault. Returns true if the program has
// to get the signal `info` now: `context` holds the program's state then. Returns false if the thread just
// continues.
bool end_native_step(Core& core, const SignalInfo& info, UserContext& context);

// Whether the instruction at the core's ip is a system call.
bool is_at_system_call(const Core& core);

}  // namespace hm::soft::direct
