// SPDX-License-Identifier: MIT
// Lets threads leave the engine and continue with their program natively. The last thread leaves the process
// as it would be without the engine, except for the engine's memory, which the launcher then unmaps.
#pragma once

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/runtime/process_area.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft::direct {

// The engine's first step in a process: passes the launcher the addresses that it needs.
void publish_addresses(ProcessArea& area);

// From now on, the threads of all attached processes leave for good.
void let_all_go();

// From now on, the threads of this process leave for good. Reports the reason to the recorder.
void let_process_go(LeaveReason reason);

// Returns true if the thread that runs on the core must leave: the recorder has requested that, or is dead.
bool is_to_leave(const Core& core);

// Returns true if a thread with these registers can leave: its state fits below its stack pointer. A program
// may hold a count, or the address of a table, in the stack pointer for a while.
bool has_stack(const Context& context);

// The thread that runs on the core leaves, and continues natively at context.ip.
[[noreturn]] void leave(Core& core);

// Returns the registers with which a thread was taken over.
Context context_of(const StartInfo& start);

// Called if there is no memory for the engine's needs. The arriving thread continues natively at the point
// where it was taken over, and the process is let go.
[[noreturn]] void leave_at_arrival(const StartInfo& start);

// Implements Runtime::leave: the thread that makes a copy leaves at the core's ip. Returns if the calling
// thread makes no copy or cannot leave.
void leave_while_copying(LeaveReason reason);
// Continues a thread that faulted while it read code to be copied: a file of code has been truncated, for
// example. The process goes native, and has the fault itself if it runs that code.
[[noreturn]] void leave_unreadable_code();

// Lets the process go. The thread leaves at context.ip once all other threads have left, because its next
// action would interfere with the engine's work for them.
[[noreturn]] void leave_for(Core& core, LeaveReason reason);

// Returns true if the thread can leave the engine. The child of a vfork cannot, because it shares its
// parent's memory.
bool may_leave(const Thread& thread);

}  // namespace hm::soft::direct
