// SPDX-License-Identifier: MIT
// The target's signal actions, and what the kernel is given in their place.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/signal_layout.h"
#include "pmu/soft/sampling/activation.h"

namespace hm::soft::direct {

// Signals that the engine handles whatever the target asks for: faults at pages that it watches, its own
// single steps, and the registers of a process that dies of them.
inline constexpr SignalMask kEngines = mask_of(kSegv) | mask_of(kBus) | mask_of(kTrap) | mask_of(kIllegal) |
                                       mask_of(kFloatingPoint) | mask_of(kPreempt);
// Signals whose default action is not to end the process: SIGCHLD, SIGCONT, SIGURG, SIGWINCH, and those that
// stop it.
inline constexpr SignalMask kHarmless = mask_of(17) | mask_of(18) | mask_of(23) | mask_of(28) |
                                        mask_of(kStop) | mask_of(20) | mask_of(21) | mask_of(22);
inline constexpr SignalMask kUncatchable = mask_of(kKill) | mask_of(kStop);

// The mask that the kernel gets for a mask of the target's.
inline SignalMask kernel_mask(SignalMask targets) { return targets & ~kEngines; }

// Installs, in the kernel, what is needed for the target's action; returns what rt_sigaction(2) does.
int64_t install_action(int signal, const SignalAction& action);
// From now on the kernel does the signal's default action.
void install_default(int signal);

inline SignalStackRange range_of(const SignalStack& stack) {
  return (stack.flags & kDisabled) == 0 ? SignalStackRange{stack.start, stack.bytes} : SignalStackRange{};
}
inline bool is_on(const SignalStack& stack, uint64_t sp) { return range_of(stack).holds(sp); }

}  // namespace hm::soft::direct
