// SPDX-License-Identifier: MIT
// Signals of threads that run natively while others of their process are in the engine: the kernel's actions
// are the process's, so the engine gets their signals too.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/signal_layout.h"
#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// Whose signal stack that is; null where it is not an engine's.
Thread* thread_of_signal_stack(const SignalStack& stack);

// What a thread's handlers depend on.
struct HandlerPlace {
  SignalStack& stack;
  SignalMask& mask;
  SignalMask mask_after;  // that the handler returns to
};

// Puts on the target's stack what the kernel would put there, and makes `context` that of the handler's
// beginning. `place` then is the handler's. Returns false, and the handler does not begin, if the stack has
// no room or is none.
[[nodiscard]] bool push_handler(const SignalInfo& info, SignalAction& action, HandlerPlace place,
                                UserContext& context);

void on_signal_in_native_thread(const SignalInfo& info, UserContext& context);

}  // namespace hm::soft::direct
