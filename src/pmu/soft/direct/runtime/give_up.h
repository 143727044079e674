// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/session_layout.h"

namespace hm::soft::direct {

// Called when the engine runs out of a resource while it copies code: the program continues natively
// (Runtime::leave). If that is impossible, this function ends the process as give_up() does.
[[noreturn]] void do_without(LeaveReason reason, const char* sentence);

// Ends the process after it writes one sentence, and a number if there is one, to standard error.
[[noreturn]] void give_up(const char* sentence);
[[noreturn]] void give_up(const char* sentence, uint64_t number);

}  // namespace hm::soft::direct
