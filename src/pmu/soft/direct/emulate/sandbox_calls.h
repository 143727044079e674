// SPDX-License-Identifier: MIT
// System calls after which the engine could not make its own system calls, or after which a tracer would see
// them, and calls that take the engine's descriptors. The process leaves the engine first.
#pragma once

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft::direct {

// Returns the reason why the process must leave before the system call in `context`; kNone if it need not.
LeaveReason reason_to_leave_before(const Context& context);

}  // namespace hm::soft::direct
