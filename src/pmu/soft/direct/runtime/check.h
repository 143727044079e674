// SPDX-License-Identifier: MIT
// Checks of the engine's own invariants, for its developers: on if the environment of hardmeter has
// HARDMETER_CHECK=1 (Session::checks_engine). A check is never in code that copies run at each access.
// Freestanding.
#pragma once

#include "pmu/soft/direct/runtime/runtime.h"

namespace hm::soft::direct {

inline bool is_checking() { return runtime().is_checking; }

// Ends the process with a sentence that contains the invariant, and the code address `at` or that of the
// caller. It writes the sentence to standard error and exits with status 127.
[[noreturn]] void fail_check(const char* invariant, const void* at);
[[noreturn]] void fail_check(const char* invariant);

// Ends the process if checks are on and the invariant does not hold. A condition that costs more than a few
// instructions belongs behind is_checking().
inline void check(bool holds, const char* invariant) {
  if (!holds && is_checking()) [[unlikely]]
    fail_check(invariant);
}

// Fails if the calling thread holds a lock. `invariant` is a sentence that names the point.
void check_no_lock(const char* invariant);

}  // namespace hm::soft::direct
