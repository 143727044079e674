// SPDX-License-Identifier: MIT
// What the engine keeps of a thread's signals.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/signal_layout.h"

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

inline bool is_due(const SignalState& state, const PendingSignal& pending) {
  return !pending.may_be_blocked || (state.mask & mask_of(pending.info.number)) == 0;
}

}  // namespace hm::soft::direct
