// SPDX-License-Identifier: MIT
// The target's signal actions, and what the kernel is given in their place.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/signal_layout.h"
#include "pmu/soft/direct/core/signal_state.h"

namespace hm::soft::direct {

// Signals whose default action is not to end the process: SIGCHLD, SIGCONT, SIGURG, SIGWINCH, and those that
// stop it.
inline constexpr SignalMask kHarmless = mask_of(17) | mask_of(18) | mask_of(23) | mask_of(28) |
                                        mask_of(kStop) | mask_of(20) | mask_of(21) | mask_of(22);
// Signals whose default action is to be ignored.
inline constexpr SignalMask kIgnoredByDefault = mask_of(17) | mask_of(18) | mask_of(23) | mask_of(28);
inline constexpr SignalMask kUncatchable = mask_of(kKill) | mask_of(kStop);

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
// Gives the kernel the target's signal stack.
void leave_signal_stack(const Thread& thread);
// For a new thread that shares the parent's memory; `flags`: those of clone(2).
void inherit_signals(Thread& child, Thread& parent, uint64_t flags);
// In a forked process, while all signals are blocked: none is pending there. `flags`: those of clone(2).
void begin_signals_of_fork(Thread& thread, uint64_t flags);
// In a new thread: from here on signals arrive.
void open_signals(Thread& thread);

// While all signals are blocked, and vfork waits for a child: only what ends the process ends that wait. From
// now on the kernel does so itself for signals that end it by default and are not blocked, of which it
// returns the mask, and which are the only ones that are not blocked now.
SignalMask let_kernel_end_process(const Thread& thread);
// The engine gets these signals again, and all are blocked.
void take_ends_back(const Thread& thread, SignalMask signals);

// Around calls in which no signal may arrive.
void set_kernel_mask(SignalMask mask);
void block_signals();
// All but those that the engine's own accesses to shared memory may raise (runtime/lost_pages.h).
void block_signals_but_faults();
void unblock_signals(const Thread& thread);

// While all signals are blocked, before the mask is `mask`. Where a signal waits for the whole process, the
// kernel has woken a thread for it; if this one took it first, the other's call would fail with EINTR for
// nothing. So they get a millisecond.
void let_others_take_signals(SignalMask mask);

// While all signals are blocked: the kernel gets back those that have not been delivered to the thread.
void send_pending_again(Thread& thread);

// Before a system call, while signals of kEngines that the target blocks wait in the engine: the kernel gets
// them, so that the call finds them. unblock_signals() takes them back.
void lend_pending(Thread& thread);
// Drops the pending signals that are ignored and not blocked.
void discard_ignored(SignalState& state, SignalMask blocked);
// The kernel gets back what it can keep: a handler has begun that blocks a signal which the engine has taken.
void return_blocked(Thread& thread);

// While all signals are blocked: requests for the calling thread's core, which wait in the kernel, are
// dropped. None may reach what follows the engine.
void forget_requests_for_core(const Thread& thread);

// A call with a signal mask of its own has been interrupted, while the mask was `mask`.
void begin_mask_of_call(SignalState& state, SignalMask mask);
// No handler begins after all.
void end_mask_of_call(SignalState& state);

// The thread cannot go on where it is: it gets SIGSEGV, as by force_sig() in the kernel.
SignalInfo forced_fault();
void force_fault(SignalState& state);

// Around execve: gives the kernel the target's mask, its ignored signals and its pending ones, which the next
// program inherits; takes them back where execve fails.
void pass_signals_to_exec(Thread& thread);
void restore_signals_after_exec(const Thread& thread);

// In place of a result: the system call was not begun, or has to be begun again.
inline constexpr int64_t kCallAgain = -512;

// Changes the signal stack as sigaltstack(2) does for a thread whose stack pointer is `sp`.
int64_t change_signal_stack(SignalState& state, const SignalStack& wanted, uint64_t sp);

// rt_sigaction, rt_sigprocmask, sigaltstack: the target's own view.
int64_t set_signal_action(Thread& thread);
int64_t set_signal_mask(Thread& thread);
int64_t set_signal_stack(Thread& thread);

}  // namespace hm::soft::direct
