// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/session_layout.h"

namespace hm::soft::direct {

// The engine lacks what it needs, while it makes a copy of code: the program goes on natively
// (Runtime::leave). Where that cannot be, this ends the process as give_up() does.
[[noreturn]] void do_without(LeaveReason reason, const char* sentence);

// Ends the process with one sentence on standard error, and a number that belongs to it.
[[noreturn]] void give_up(const char* sentence);
[[noreturn]] void give_up(const char* sentence, uint64_t number);

}  // namespace hm::soft::direct
