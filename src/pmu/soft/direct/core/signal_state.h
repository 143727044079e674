// SPDX-License-Identifier: MIT
// Signal state that the engine keeps for each thread.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/signal_layout.h"
#include "pmu/soft/sampling/activation.h"

namespace hm::soft::direct {

// A process's signal actions. Threads share this object just as the kernel's threads share their actions.
struct SignalActions {
  SignalAction actions[kSignals + 1];
};

struct PendingSignal {
  SignalInfo info;
  bool forced;  // raised by the engine in place of the kernel: the thread cannot continue without it
};

// A thread's signals. Pending signals stay in the kernel: the engine takes at most one signal that the target
// can block, and delivers it before it takes another. The signals in kEngines cannot be left to the kernel.
// Code in which signals may arrive at any time reads `count`.
struct SignalState {
  static constexpr uint32_t kMost = 16;

  SignalActions* actions;
  SignalActions* own_actions;  // memory that no other thread uses, possibly that of `actions`; may be null
  SignalMask mask;  // the target's own mask; the kernel's mask lets through the signals that the engine needs
  bool mask_is_of_call;   // `mask` belongs to an interrupted call such as ppoll(2),
  SignalMask mask_after;  // and this mask follows that call
  SignalStack stack;
  bool clears_actions;       // CLONE_CLEAR_SIGHAND made the thread
  SignalMask ends_natively;  // signals that the kernel lets end the process (let_kernel_end_process())
  uint32_t arrived;          // not 0: a signal has arrived since the last system call began
  bool had_any;              // a signal has reached the engine since the last system call began
  bool yields;               // the thread must release its core once its state is consistent
  bool stepping;             // the thread single-steps (trap flag) to a point where its state is consistent
  bool steps_over_pushf;     // the next step is a pushf, which also stores the engine's trap flag
  // See emulate/native_step.h.
  bool trap_flag;  // the program's own trap flag, which is never set in the host's flags while copied code
                   // runs
  bool native_step_due;         // the next instruction runs natively
  bool native_step;             // an instruction of the program runs natively
  bool loads_trap_flag;         // that instruction loads the flags
  bool native_step_is_unknown;  // that instruction cannot be decoded
  uint32_t count;
  PendingSignal pending[kMost];
};

inline bool is_due(const PendingSignal& pending, SignalMask blocked) {
  return pending.forced || (blocked & mask_of(pending.info.number)) == 0;
}

// Returns true if the thread must take a signal before it continues, given these blocked signals.
inline bool signal_is_due(const SignalState& state, SignalMask blocked) {
  uint32_t count = __atomic_load_n(&state.count, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; ++i) {
    if (is_due(state.pending[i], blocked)) return true;
  }
  return false;
}
inline bool signal_is_due(const SignalState& state) { return signal_is_due(state, state.mask); }

// Returns the kernel's mask for a mask of the target.
inline SignalMask kernel_mask(SignalMask targets) { return targets & ~kEngines; }
// Returns the kernel's mask for a thread. All other signals stay in the kernel until the engine has delivered
// the signal that it has taken.
inline SignalMask kernel_mask(const SignalState& state) {
  bool keeps_others = signal_is_due(state);
  for (uint32_t i = 0; i < state.count; ++i)
    keeps_others = keeps_others || (mask_of(state.pending[i].info.number) & kEngines) == 0;
  return kernel_mask(keeps_others ? ~SignalMask{0} : state.mask);
}

inline SignalStackRange range_of(const SignalStack& stack) {
  return (stack.flags & kDisabled) == 0 ? SignalStackRange{stack.start, stack.bytes} : SignalStackRange{};
}
// Returns true if the kernel considers a thread to run on its signal stack. The kernel never does for a stack
// that is disarmed.
inline bool is_on(const SignalStack& stack, uint64_t sp) {
  return (stack.flags & kDisarms) == 0 && range_of(stack).holds(sp);
}

// The target's alternate signal stack.
inline SignalStackRange alternate_stack(const SignalState& state) { return range_of(state.stack); }

}  // namespace hm::soft::direct
