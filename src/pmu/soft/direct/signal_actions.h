// SPDX-License-Identifier: MIT
// What the target has asked for of signals, and what the kernel is told so that it does that.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"
#include "pmu/soft/direct/signal_layout.h"
#include "pmu/soft/direct/signal_state.h"
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

// As the target has it.
SignalStackRange alternate_stack(const SignalState& state);

// For the first thread, before anything of the target runs: takes over what the process was started with.
void begin_signals(Thread& thread);
// A new thread's or forked process's. `shares`: its actions stay those of `parent`.
void inherit_signals(Thread& child, const Thread& parent, bool shares);
// In a new thread: from here on signals arrive.
void open_signals(const Thread& thread);

// Around calls in which no signal may arrive.
void block_signals();
void unblock_signals(const Thread& thread);

// Around execve: the program that comes inherits from the kernel what the target ignores, blocks, and has not
// taken yet.
void pass_signals_to_exec(Thread& thread);
void restore_signals_after_exec(const Thread& thread);

// What a system call that was not begun, or has to be begun again, seems to return.
inline constexpr int64_t kCallAgain = -512;

// Is there a signal that the thread has to take before it goes on?
bool signal_is_due(const Thread& thread);

// rt_sigaction, rt_sigprocmask, sigaltstack: the target's own view.
int64_t set_signal_action(Thread& thread);
int64_t set_signal_mask(Thread& thread);
int64_t set_signal_stack(Thread& thread);

}  // namespace hm::soft::direct
