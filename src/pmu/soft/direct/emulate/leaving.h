// SPDX-License-Identifier: MIT
// How threads leave the engine and go on with their program natively. The last one leaves the process as it
// would be without the engine, but for its memory, which the launcher then unmaps.
#pragma once

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/runtime/process_area.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft::direct {

// The engine's first step in a process.
void tell_launcher(ProcessArea& area);

// From now on the threads of all attached processes leave, for good.
void let_all_go();

// From now on the threads of this process leave, for good. The recorder is told why.
void let_process_go(LeaveReason reason);

// Whether the thread that runs on the core is to leave: the recorder has said so, or is dead.
bool is_to_leave(const Core& core);

// The thread that runs on the core leaves, at context.ip.
[[noreturn]] void leave(Core& core);

// The registers with which a thread was taken over.
Context context_of(const StartInfo& start);

// There is no memory for what the engine needs: the thread that arrives goes on where it was taken over, and
// the process is let go.
[[noreturn]] void leave_at_arrival(const StartInfo& start);

// Runtime::leave: the thread that makes a copy leaves, at the core's ip. Returns if the calling thread is
// none, or cannot leave.
void leave_while_copying(LeaveReason reason);

// Lets the process go, and the thread leaves, at context.ip, once all others have left: what it does next
// would hinder the engine's work for them.
[[noreturn]] void leave_for(Core& core, LeaveReason reason);

// Whether threads of this process can leave the engine: not a child of vfork, which shares its parent's.
bool may_leave(const Thread& thread);

}  // namespace hm::soft::direct
