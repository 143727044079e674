// SPDX-License-Identifier: MIT
// How threads leave the engine and go on with their program natively. The last one leaves the process as it
// would be without the engine, but for its memory, which the launcher then unmaps.
#pragma once

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/runtime/process_area.h"

namespace hm::soft::direct {

// The engine's first step in a process.
void tell_launcher(ProcessArea& area);

// From now on the threads of all attached processes leave, for good.
void let_all_go();

// Whether the thread that runs on the core is to leave: the recorder has said so, or is dead.
bool is_to_leave(const Core& core);

// The thread that runs on the core leaves, at context.ip.
[[noreturn]] void leave(Core& core);

}  // namespace hm::soft::direct
