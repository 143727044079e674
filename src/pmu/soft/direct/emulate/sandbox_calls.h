// SPDX-License-Identifier: MIT
// System calls after which the engine could not do its own: the process leaves the engine before them.
#pragma once

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft::direct {

// Why the process has to leave before the system call that `context` asks for; kNone
// cannot.
LeaveReason reason_to_leave_before(const Context& context);

}  // namespace hm::soft::direct
