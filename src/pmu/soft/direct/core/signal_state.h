// SPDX-License-Identifier: MIT
// What the engine keeps of a thread's signals.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/signal_layout.h"
#include "pmu/soft/sampling/activation.h"

namespace hm::soft::direct {

// A process's signal actions. Threads share them as the kernel's threads do.
struct SignalActions {
  SignalAction actions[kSignals + 1];
};

struct PendingSignal {
  SignalInfo info;
  bool forced;  // by the engine in the kernel's place: the thread cannot go on without it
};

// A thread's signals. The kernel keeps what is pending: the engine has taken at most one signal that the
// target can block, and delivers it before it takes another. The signals of kEngines cannot be left to the
// kernel. `count` is read where signals may arrive at any time.
struct SignalState {
  static constexpr uint32_t kMost = 16;

  SignalActions* actions;
  SignalActions* own_actions;  // memory that no other thread uses, perhaps that of `actions`; may be null
  SignalMask mask;             // as the target has it; the kernel's lets through what the engine needs
  bool mask_is_of_call;        // `mask` is that of an interrupted call such as ppoll(2),
  SignalMask mask_after;       // and this one follows
  SignalStack stack;
  bool clears_actions;       // CLONE_CLEAR_SIGHAND made the thread
  SignalMask ends_natively;  // signals that the kernel lets end the process (let_kernel_end_process())
  uint32_t arrived;          // not 0: a signal has arrived since the last system call was begun
  bool yields;               // the thread is to release its core once its state is consistent
  bool stepping;             // by the trap flag, to where the state is consistent
  // emulate/native_step.h
  bool trap_flag;        // the program's own, which is never set in the host's flags while copied code runs
  bool native_step_due;  // the next instruction runs natively
  bool native_step;      // an instruction of the program runs natively
  bool loads_trap_flag;  // that instruction loads the flags
  bool native_step_is_unknown;  // that instruction is one that the decoder does not know
  uint32_t count;
  PendingSignal pending[kMost];
};

inline bool is_due(const PendingSignal& pending, SignalMask blocked) {
  return pending.forced || (blocked & mask_of(pending.info.number)) == 0;
}

// Whether there is a signal that the thread has to take before it continues, if these are blocked.
inline bool signal_is_due(const SignalState& state, SignalMask blocked) {
  uint32_t count = __atomic_load_n(&state.count, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; ++i) {
    if (is_due(state.pending[i], blocked)) return true;
  }
  return false;
}
inline bool signal_is_due(const SignalState& state) { return signal_is_due(state, state.mask); }

// The mask that the kernel gets for a mask of the target's.
inline SignalMask kernel_mask(SignalMask targets) { return targets & ~kEngines; }
// The mask that the kernel gets for a thread: it keeps all other signals until the one has been delivered
// that the engine has.
inline SignalMask kernel_mask(const SignalState& state) {
  bool keeps_others = signal_is_due(state);
  for (uint32_t i = 0; i < state.count; ++i)
    keeps_others = keeps_others || (mask_of(state.pending[i].info.number) & kEngines) == 0;
  return kernel_mask(keeps_others ? ~SignalMask{0} : state.mask);
}

inline SignalStackRange range_of(const SignalStack& stack) {
  return (stack.flags & kDisabled) == 0 ? SignalStackRange{stack.start, stack.bytes} : SignalStackRange{};
}
// Whether the kernel takes a thread to run on its signal stack: on one that is disarmed it never does.
inline bool is_on(const SignalStack& stack, uint64_t sp) {
  return (stack.flags & kDisarms) == 0 && range_of(stack).holds(sp);
}

// The target's alternate signal stack.
inline SignalStackRange alternate_stack(const SignalState& state) { return range_of(state.stack); }

}  // namespace hm::soft::direct
