// SPDX-License-Identifier: MIT
// System calls that may write into the program's code.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

// Stops watching the pages of code to which the arguments of the system call point, and those of calls that
// scatter what they read (readv(2), recvmsg(2)).
void expect_writes_to_code(const Context& context, uint64_t number);

}  // namespace hm::soft::direct
