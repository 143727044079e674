// SPDX-License-Identifier: MIT
// The start of a program in a reproducible run.
#pragma once

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

// Called with the context of the program's first thread before it begins. Moves its arguments to a fixed
// address, whatever the environment's length, and replaces what the kernel has added about the machine.
void define_start(Context& context);

}  // namespace hm::soft::direct
