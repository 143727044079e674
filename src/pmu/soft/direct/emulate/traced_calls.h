// SPDX-License-Identifier: MIT
#pragma once

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

// Runs the system calls that a program with a set trap flag makes, which must not be run natively: the engine
// has to see them. Returns the core on which the thread is then.
Core& run_traced_system_calls(Core& core);

}  // namespace hm::soft::direct
