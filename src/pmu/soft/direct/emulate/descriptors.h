// SPDX-License-Identifier: MIT
// Hides the engine's own file descriptors from the target's system calls.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

inline constexpr int64_t kNoSuchDescriptor = -9;  // EBADF

// Returns true if a call (close, dup, dup2, dup3, fcntl, fstat) uses one of the engine's descriptors. For the
// program, that number is not a descriptor.
bool uses_own_descriptor(const Thread& thread, uint64_t number);
// Returns true if the call (dup2, dup3) would replace one of the engine's descriptors, and the program's
// limit permits that number.
bool replaces_own_descriptor(const Context& context, uint64_t number);
// Returns true if a call with this result has failed only because the engine has descriptors.
bool lacks_descriptor(int64_t result);
// Executes close_range(2) for all descriptors of the range except the engine's.
int64_t close_range_but_own(const Thread& thread);

// Called when getdents(2) or getdents64(2) has written `bytes` bytes of entries to the program. If the folder
// lists the process's descriptors, removes the engine's entries. Returns the number of bytes left.
int64_t remove_own_descriptors(const Thread& thread, uint64_t number, int64_t bytes);

}  // namespace hm::soft::direct
