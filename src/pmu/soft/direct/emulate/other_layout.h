// SPDX-License-Identifier: MIT
// Programs in another memory layout than the usual one (Session::layout), as Stabilizer randomizes it (C.
// Curtsinger and E. Berger, ASPLOS 2013): which lines share a set, and which data share a line or a page, is
// then different.
#pragma once

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

// Called with the context of the program's first thread before it begins. Moves its stack by up to 64 KiB and
// its heap by up to 4 MiB, in steps of 16 bytes, and all later mappings, such as shared libraries, by up to
// 32 MiB. If the process's memory is limited (RLIMIT_AS, RLIMIT_DATA), only the stack is moved; if its stack
// is limited to less than 1 MiB, only the rest.
void move_to_other_layout(Context& context);

}  // namespace hm::soft::direct
