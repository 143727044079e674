// SPDX-License-Identifier: MIT
// The target's signal actions, and the actions that the engine installs in the kernel instead.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/signal_layout.h"
#include "pmu/soft/direct/core/signal_state.h"

namespace hm::soft::direct {

// Signals with a default action that does not end the process: SIGCHLD, SIGCONT, SIGURG, SIGWINCH, and the
// signals that stop the process.
inline constexpr SignalMask kHarmless = mask_of(17) | mask_of(18) | mask_of(23) | mask_of(28) |
                                        mask_of(kStop) | mask_of(20) | mask_of(21) | mask_of(22);
// Signals that are ignored by default.
inline constexpr SignalMask kIgnoredByDefault = mask_of(17) | mask_of(18) | mask_of(23) | mask_of(28);
inline constexpr SignalMask kUncatchable = mask_of(kKill) | mask_of(kStop);

// Installs in the kernel the action that the target's action requires. Returns the result of rt_sigaction(2).
int64_t install_action(int signal, const SignalAction& action);
// Restores the signal's default action in the kernel.
void install_default(int signal);

// Takes over the process's actions: from now on, signals reach the engine. Returns false if there is no
// memory.
bool begin_signals();
// Restores the process's actions. Only for the last thread that leaves the engine.
void end_signals();
// Initializes the signals of a thread that is taken over, while all signals are blocked. `mask` is the
// thread's own.
void take_over_signals(Thread& thread, SignalMask mask);
// Restores the target's signal stack in the kernel.
void leave_signal_stack(const Thread& thread);
// Initializes the signals of a new thread that shares the parent's memory. `flags` are those of clone(2).
void inherit_signals(Thread& child, Thread& parent, uint64_t flags);
// In a forked child, before any signal can reach it: those that wait for delivery are its parent's.
void forget_signals_of_parent(Thread& thread);
// Initializes the actions of a forked child. `flags` are those of clone(2).
void begin_signals_of_fork(Thread& thread, uint64_t flags);
// Called in a new thread: from here on, signals arrive.
void open_signals(Thread& thread);

// Called while all signals are blocked and vfork waits for a child: only a signal that ends the process ends
// that wait. Lets the kernel end the process by itself for all signals that do so by default and that the
// target does not block. Unblocks only these signals, and returns their mask.
SignalMask let_kernel_end_process(const Thread& thread);
// Undoes let_kernel_end_process() for these signals, and blocks all signals.
void take_ends_back(const Thread& thread, SignalMask signals);

// Called around code in which no signal may arrive.
void set_kernel_mask(SignalMask mask);
void block_signals();
// Blocks all signals except those that the engine's own accesses to shared memory may raise
// (runtime/lost_pages.h).
void block_signals_but_faults();
// Blocks all signals that can stay in the kernel until they are delivered: all but those in kEngines.
void block_signals_but_engines();
// Called while all signals are blocked: a signal that arrived before the call would no longer keep the others
// in the kernel.
void unblock_signals(const Thread& thread);

// Called while all signals are blocked, before the mask is set to `mask`. For a signal to the whole process,
// the kernel has woken one thread. If this thread took the signal first, the other thread's call would fail
// with EINTR without a signal. So the other threads get a millisecond to take it.
void let_others_take_signals(SignalMask mask);

// Sends a signal that has been taken from the kernel back to the calling thread.
void send_to_this_thread(const SignalInfo& info);
// Called while all signals are blocked. Sends signals that have not been delivered to the thread back to the
// kernel: those that the thread does not block to the thread itself, the others to their original receivers.
void send_pending_again(Thread& thread);

// Called before a system call, while signals wait in the engine. If none of them is due, sends them back to
// the kernel, so that the call finds them: they are signals of kEngines that the thread blocks. Otherwise the
// call is not to be begun (SignalState::arrived). take_pending_back() undoes this.
void lend_pending(Thread& thread);
void take_pending_back(const Thread& thread);
// Drops the pending signals that are ignored and not blocked.
void discard_ignored(SignalState& state, SignalMask blocked);
// Called when a handler has begun that blocks a signal which the engine has taken. Sends back to the kernel
// the signals that the kernel can keep. Each had reached this thread, so this thread gets it again.
void return_blocked(SignalState& state);

// Called while all signals are blocked. Drops requests for the calling thread's core that wait in the kernel:
// none may reach the code that runs after the engine.
void forget_requests_for_core(const Thread& thread);

// Called when a system call with a signal mask of its own has been interrupted. `mask` is the call's mask.
void begin_mask_of_call(SignalState& state, SignalMask mask);
// Called if no handler begins after all.
void end_mask_of_call(SignalState& state);

// Returns the SIGSEGV of a thread that cannot continue where it is, as from force_sig() in the kernel.
// force_fault() makes it pending.
SignalInfo forced_fault();
void force_fault(SignalState& state);

// Called around execve. The first function gives the kernel the target's mask, ignored signals and pending
// signals, which the next program inherits. The second takes them back if execve fails.
void pass_signals_to_exec(Thread& thread);
void restore_signals_after_exec(const Thread& thread);

// Replaces a result: the system call was not begun, or must be begun again.
inline constexpr int64_t kCallAgain = -512;

// Changes the signal stack as sigaltstack(2) does for a thread with the stack pointer `sp`.
int64_t change_signal_stack(SignalState& state, const SignalStack& wanted, uint64_t sp);

// Implement rt_sigaction, rt_sigprocmask and sigaltstack on the target's own state.
int64_t set_signal_action(Thread& thread);
int64_t set_signal_mask(Thread& thread);
int64_t set_signal_stack(Thread& thread);

}  // namespace hm::soft::direct
