// SPDX-License-Identifier: MIT
// A thread's stay in a function inside which it is collected: from the function's entry, of which the stack
// pointer is kept, to where the stack pointer is above that: a return, a longjmp, an exception's handler.
// Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft {

// No stack pointer is above it.
inline constexpr uint64_t kNoActivation = ~uint64_t{0};

// A thread's alternate signal stack (sigaltstack(2)); empty where it has none.
struct SignalStackRange {
  uint64_t start;
  uint64_t bytes;
  [[nodiscard]] bool holds(uint64_t sp) const { return sp > start && sp - start <= bytes; }
};

// Whether the stay that began at the stack pointer `stay` is over at `sp`. A signal handler on a stack of its
// own does not end it, one that began there ends with the handler.
inline bool has_left(uint64_t activation_sp, uint64_t sp, SignalStackRange signals) {
  if (activation_sp == kNoActivation) return false;
  bool began_on_signal_stack = signals.holds(activation_sp), is_on_signal_stack = signals.holds(sp);
  return began_on_signal_stack == is_on_signal_stack ? sp > activation_sp : began_on_signal_stack;
}

}  // namespace hm::soft
