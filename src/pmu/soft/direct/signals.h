// SPDX-License-Identifier: MIT
// Signals. The engine handles them all in the target's place. Where one arrives in copied code or in the
// engine's own, it is delayed, by a few instructions at most, until the target's state is consistent. The
// target's handler then finds on its stack what the kernel would have put there, with the target's own
// registers and addresses.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"
#include "pmu/soft/direct/signal_layout.h"
#include "pmu/soft/sampling/activation.h"

namespace hm::soft::direct {

// A process's signal actions. Threads share them as the kernel's threads do.
struct SignalActions {
  SignalAction actions[kSignals + 1];
};

struct PendingSignal {
  SignalInfo info;
  bool may_be_blocked;  // another was delivered since it arrived, and its mask counts
};

// A thread's. `count` is read where signals may arrive at any time.
struct SignalState {
  static constexpr uint32_t kMost = 64;

  SignalActions* actions;
  SignalMask mask;  // as the target has it; the kernel's lets through what the engine needs
  SignalStack stack;
  uint32_t arrived;  // not 0: a signal has arrived since the last system call was begun
  bool yields;       // the thread is to release its core once its state is consistent
  bool stepping;     // by the trap flag, to where the state is consistent
  uint32_t count;
  PendingSignal pending[kMost];
};

// The target's alternate signal stack.
SignalStackRange alternate_stack(const SignalState& state);

// For the first thread, before anything of the target runs: takes over what the process was started with.
void begin_signals(Thread& thread);
// For a new thread or forked process. `shares`: it shares the actions of `parent`.
void inherit_signals(Thread& child, const Thread& parent, bool shares);
// In a new thread: from here on signals arrive.
void open_signals(const Thread& thread);

// Around calls in which no signal may arrive.
void block_signals();
void unblock_signals(const Thread& thread);

// Around execve: gives the kernel the target's mask, its ignored signals and its pending ones, which the next
// program inherits; takes them back where execve fails.
void pass_signals_to_exec(Thread& thread);
void restore_signals_after_exec(const Thread& thread);

// In place of a result: the system call was not begun, or has to be begun again.
inline constexpr int64_t kCallAgain = -512;

// Whether there is a signal that the thread has to take before it continues.
bool signal_is_due(const Thread& thread);

// rt_sigaction, rt_sigprocmask, sigaltstack: the target's own view.
int64_t set_signal_action(Thread& thread);
int64_t set_signal_mask(Thread& thread);
int64_t set_signal_stack(Thread& thread);
// rt_sigreturn.
[[noreturn]] void return_from_signal(Core& core);

}  // namespace hm::soft::direct
