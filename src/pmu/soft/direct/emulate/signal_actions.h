// SPDX-License-Identifier: MIT
// The target's signal actions, and what the kernel is given in their place.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/signal_layout.h"
#include "pmu/soft/direct/core/signal_state.h"

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

// Takes over the process's actions: from now on signals reach the engine. False if there is no memory.
bool begin_signals();
// Gives them back. Only for the last thread that leaves the engine.
void end_signals();
// Of a thread that is taken over, while all signals are blocked. `mask`: its own.
void take_over_signals(Thread& thread, SignalMask mask);
// For a new thread or forked process. `shares`: it shares the actions of `parent`.
void inherit_signals(Thread& child, const Thread& parent, bool shares);
// In a new thread: from here on signals arrive.
void open_signals(const Thread& thread);

// Around calls in which no signal may arrive.
void set_kernel_mask(SignalMask mask);
void block_signals();
void unblock_signals(const Thread& thread);

// While all signals are blocked, before the mask is `mask`. Where a signal waits for the whole process, the
// kernel has woken a thread for it; if this one took it first, the other's call would fail with EINTR for
// nothing. So they get a millisecond.
void let_others_take_signals(SignalMask mask);

// While all signals are blocked: the kernel has those back that the thread has not been delivered.
void send_pending_again(Thread& thread);

// Around execve: gives the kernel the target's mask, its ignored signals and its pending ones, which the next
// program inherits; takes them back where execve fails.
void pass_signals_to_exec(Thread& thread);
void restore_signals_after_exec(const Thread& thread);

// In place of a result: the system call was not begun, or has to be begun again.
inline constexpr int64_t kCallAgain = -512;

// rt_sigaction, rt_sigprocmask, sigaltstack: the target's own view.
int64_t set_signal_action(Thread& thread);
int64_t set_signal_mask(Thread& thread);
int64_t set_signal_stack(Thread& thread);

}  // namespace hm::soft::direct
