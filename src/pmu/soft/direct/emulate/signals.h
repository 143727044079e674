// SPDX-License-Identifier: MIT
// Signals. The engine handles them all in the target's place. Where one arrives in copied code or in the
// engine's own, it is delayed, by a few instructions at most, until the target's state is consistent. The
// target's handler then finds on its stack what the kernel would have put there, with the target's own
// registers and addresses.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

// rt_sigreturn. Returns only if there is no frame at the target's stack pointer: then SIGSEGV is pending.
void return_from_signal(Core& core);

}  // namespace hm::soft::direct
