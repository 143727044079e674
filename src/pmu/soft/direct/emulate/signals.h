// SPDX-License-Identifier: MIT
// Signals. The engine handles all signals of the target. A signal in copied code or in the engine's own code
// is delayed until the target's state is consistent, by a few instructions at most. The target's handler then
// finds on its stack the frame that the kernel would have built, with the target's own registers and
// addresses.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

// Executes rt_sigreturn. Returns only if there is no frame at the target's stack pointer: SIGSEGV is then
// pending.
void return_from_signal(Core& core);

}  // namespace hm::soft::direct
