// SPDX-License-Identifier: MIT
// Signals of threads that run natively while other threads of their process are in the engine. The kernel has
// one set of signal actions per process, so the engine receives the native threads' signals, too.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/signal_layout.h"
#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// Returns the thread that owns the engine's signal stack; null if the stack is not an engine's.
Thread* thread_of_signal_stack(const SignalStack& stack);

// Thread state that the start of a signal handler reads and changes.
struct HandlerPlace {
  SignalStack& stack;
  SignalMask& mask;
  SignalMask mask_after;  // mask that the handler returns to
};

// Builds the signal frame on the target's stack that the kernel would build. Sets `context` to the beginning
// of the handler, and `place` to the handler's state. Returns false, and starts no handler, if the stack has
// no room or is invalid.
[[nodiscard]] bool push_handler(const SignalInfo& info, SignalAction& action, HandlerPlace place,
                                UserContext& context);

void on_signal_in_native_thread(const SignalInfo& info, UserContext& context);

}  // namespace hm::soft::direct
