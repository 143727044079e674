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
  // emulate/native_step.h
  bool trap_flag;        // the program's own, which is never set in the host's flags while copied code runs
  bool native_step_due;  // the next instruction runs natively
  bool native_step;      // an instruction of the program runs natively
  bool loads_trap_flag;  // that instruction loads the flags
  bool native_step_is_unknown;  // that instruction is one that the decoder does not know
  uint32_t count;
  PendingSignal pending[kMost];
};

inline bool is_due(const SignalState& state, const PendingSignal& pending) {
  return !pending.may_be_blocked || (state.mask & mask_of(pending.info.number)) == 0;
}

// Whether there is a signal that the thread has to take before it continues.
inline bool signal_is_due(const SignalState& state) {
  uint32_t count = __atomic_load_n(&state.count, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; ++i) {
    if (is_due(state, state.pending[i])) return true;
  }
  return false;
}

inline SignalStackRange range_of(const SignalStack& stack) {
  return (stack.flags & kDisabled) == 0 ? SignalStackRange{stack.start, stack.bytes} : SignalStackRange{};
}
inline bool is_on(const SignalStack& stack, uint64_t sp) { return range_of(stack).holds(sp); }

// The target's alternate signal stack.
inline SignalStackRange alternate_stack(const SignalState& state) { return range_of(state.stack); }

}  // namespace hm::soft::direct
