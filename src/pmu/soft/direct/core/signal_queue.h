// SPDX-License-Identifier: MIT
// The queue of signals that a thread has taken from the kernel and not delivered yet. Only the thread itself
// changes its queue, while no other signal can arrive. Freestanding.
#pragma once

#include "pmu/soft/direct/core/signal_state.h"

namespace hm::soft::direct {

enum class Queued {
  kAppended,
  kMerged,  // a standard signal of this number is already pending, so this one is dropped (signal(7))
  kNoRoom,  // the queue is full; the signal is not in it
};

// Appends a signal. A real-time signal is never merged: each one that is sent is delivered.
[[nodiscard]] Queued queue_signal(SignalState& state, const SignalInfo& info);

// Returns true if a signal of this number is pending for the same receiver: the thread or the process.
[[nodiscard]] bool is_pending(const SignalState& state, const SignalInfo& info);

// Removes the first signal that is due from the queue, in the kernel's order: forced signals, then signals to
// the thread, then signals of faults, then the lowest number. Signals of one number keep the order in which
// they arrived. Returns false if no signal is due.
[[nodiscard]] bool take_due(SignalState& state, PendingSignal& taken);

}  // namespace hm::soft::direct
