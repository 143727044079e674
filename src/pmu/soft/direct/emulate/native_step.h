// SPDX-License-Identifier: MIT
// Runs one instruction natively: at its own address, with the program's own registers, under the trap flag.
//
// The engine runs everything natively that it cannot copy: instructions that cannot be decoded, far
// transfers, and jumps to addresses without code. While the program itself has set the trap flag, every
// instruction runs natively. The processor and the kernel behave as usual, and a fault has its native address
// and registers.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/signal_layout.h"
#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// Returns true if the instruction at the core's ip must run natively because the program has set the trap
// flag.
inline bool is_traced(const Core& core) { return core.thread->signals.trap_flag; }

// Called when the core was left by an indirect branch. If no code can be at the target, undoes the branch. A
// native step of the branch then faults as on the processor, at the branch or at its target. Does nothing for
// other addresses.
void undo_invalid_branch(Core& core);

// Prepares the native step of the instruction at the core's ip. Returns the code to continue with, which
// raises a signal: the kernel's return from the signal loads all registers at once. The GS segment belongs to
// the engine: if the instruction uses it, the process leaves the engine, and this function does not return.
const uint8_t* begin_native_step(Core& core);

// Returns true if the step that is due is at an address where only the engine has memory. Natively, it
// faults.
bool step_is_in_engine(const Core& core);

// Returns the fault of code that is not mapped, and writes the fault's part of `registers`.
SignalInfo fault_at_unmapped_code(uint64_t ip, SignalContext& registers);

// Called in the handler of that signal. `context` holds the program's state, and is changed so that the
// instruction runs.
void start_native_step(Core& core, UserContext& context);

// Called when the processor has reported the trap behind the instruction, or a fault of the instruction.
// Returns true if the program must receive the signal `info` now: `context` then holds the program's state.
// Returns false if the thread just continues.
bool end_native_step(Core& core, const SignalInfo& info, UserContext& context);

// Returns true if the instruction at the core's ip is a system call.
bool is_at_system_call(const Core& core);

}  // namespace hm::soft::direct
