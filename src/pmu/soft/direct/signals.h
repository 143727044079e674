// SPDX-License-Identifier: MIT
// Signals. The engine takes them all in the target's place. Where one arrives in copied code or in the
// engine's own, it waits until the target's state is whole, at most a few instructions; the target's handler
// then finds on its stack what the kernel would have put there, with the target's own registers and
// addresses.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"
#include "pmu/soft/direct/signal_layout.h"
#include "pmu/soft/sampling/activation.h"

namespace hm::soft::direct {

// What a process has asked for. Threads share it as the kernel's threads do.
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
  uint32_t arrived;  // not 0: since the last system call was begun
  bool yields;       // the thread is to let its core go where its state is whole
  bool stepping;     // by the trap flag, to where the state is whole
  uint32_t count;
  PendingSignal pending[kMost];
};

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
// rt_sigreturn.
[[noreturn]] void return_from_signal(Core& core);

}  // namespace hm::soft::direct
