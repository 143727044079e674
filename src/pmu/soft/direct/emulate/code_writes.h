// SPDX-License-Identifier: MIT
// System calls that may write into the program's code.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

// Stops watching the pages of code that the arguments of the system call point to. For calls that scatter the
// data they read (readv(2), recvmsg(2)), follows the pointers in the arguments as well.
void expect_writes_to_code(const Context& context, uint64_t number);

// Returns true for calls that write to memory that is reached only through pointers stored in memory, in ways
// that expect_writes_to_code() does not know. Most have no effect if they fail with a bad address.
bool writes_through_pointers(uint64_t number);

// Called before a system call that may fix the protection of memory (mseal(2), PR_SET_MDWE): stops watching
// the pages of code.
void expect_fixed_protection(const Context& context, uint64_t number);

// Called after a successful system call. If it has written to code through /proc/PID/mem, which protections
// do not stop, drops the copies of this code.
void follow_writes_to_memory_file(const Context& context, uint64_t number, uint64_t result);

}  // namespace hm::soft::direct
