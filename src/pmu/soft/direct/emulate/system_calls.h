// SPDX-License-Identifier: MIT
#pragma once

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

// Executes the system call in the core's registers. Returns the thread's core, which may be another one
// afterwards.
Core& do_system_call(Core& core);

}  // namespace hm::soft::direct
