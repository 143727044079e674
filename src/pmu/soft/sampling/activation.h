// SPDX-License-Identifier: MIT
// The activation of a function inside which a thread is collected. It begins at the function's entry, which
// records the stack pointer. It ends when the stack pointer is above that: after a return, a longjmp, or in
// an exception's handler. Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft {

// The recorded stack pointer of a thread without an activation: no stack pointer is above it.
inline constexpr uint64_t kNoActivation = ~uint64_t{0};

// A thread's alternate signal stack (sigaltstack(2)); empty if it has none.
struct SignalStackRange {
  uint64_t start;
  uint64_t bytes;
  [[nodiscard]] bool holds(uint64_t sp) const { return sp > start && sp - start <= bytes; }
};

// Whether the activation that began at the stack pointer `activation_sp` is over at `sp`. A signal handler on
// the alternate stack does not end it; an activation that began on that stack ends with the handler.
inline bool has_left(uint64_t activation_sp, uint64_t sp, SignalStackRange signals) {
  if (activation_sp == kNoActivation) return false;
  bool began_on_signal_stack = signals.holds(activation_sp), is_on_signal_stack = signals.holds(sp);
  return began_on_signal_stack == is_on_signal_stack ? sp > activation_sp : began_on_signal_stack;
}

}  // namespace hm::soft
