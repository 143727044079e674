// SPDX-License-Identifier: MIT
// What the target has asked for of signals, and what the kernel is told so that it does that.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/signal_layout.h"
#include "pmu/soft/sampling/activation.h"

namespace hm::soft::direct {

// The engine needs them whatever the target says: faults of protected pages, its own steps, and the registers
// of what dies of them.
inline constexpr SignalMask kEngines = mask_of(kSegv) | mask_of(kBus) | mask_of(kTrap) | mask_of(kIllegal) |
                                       mask_of(kFloatingPoint) | mask_of(kPreempt);
// Their default is not to end the process: SIGCHLD, SIGCONT, SIGURG, SIGWINCH, and those that stop it.
inline constexpr SignalMask kHarmless = mask_of(17) | mask_of(18) | mask_of(23) | mask_of(28) |
                                        mask_of(kStop) | mask_of(20) | mask_of(21) | mask_of(22);
inline constexpr SignalMask kUncatchable = mask_of(kKill) | mask_of(kStop);

// The kernel's, where the target's is that.
inline SignalMask kernel_mask(SignalMask targets) { return targets & ~kEngines; }

// What the kernel is told of the target's action; what rt_sigaction(2) returns.
int64_t install_action(int signal, const SignalAction& action);
// The kernel does what it does where nobody handles the signal.
void install_default(int signal);

inline SignalStackRange range_of(const SignalStack& stack) {
  return (stack.flags & kDisabled) == 0 ? SignalStackRange{stack.start, stack.bytes} : SignalStackRange{};
}
inline bool is_on(const SignalStack& stack, uint64_t sp) { return range_of(stack).holds(sp); }

}  // namespace hm::soft::direct
