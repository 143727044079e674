// SPDX-License-Identifier: MIT
#pragma once

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

// Runs the system calls of a program that has set the trap flag. They must not run natively, because the
// engine has to see them. Returns the core on which the thread then runs.
Core& run_traced_system_calls(Core& core);

}  // namespace hm::soft::direct
