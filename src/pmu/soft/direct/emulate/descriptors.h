// SPDX-License-Identifier: MIT
// Hides the engine's own file descriptors from the target's system calls.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

inline constexpr int64_t kNoSuchDescriptor = -9;  // EBADF

// Whether a call (close, dup, dup2, dup3, fcntl, fstat) has one of the engine's descriptors as an argument.
// To the program, that is no descriptor.
bool uses_own_descriptor(const Thread& thread, uint64_t number);
// close_range(2), for all descriptors of a range but the engine's.
int64_t close_range_but_own(const Thread& thread);

// getdents(2) or getdents64(2) has written so many bytes of entries to the program. If the folder is that of
// the process's descriptors, removes the engine's. Returns how many bytes are left.
int64_t remove_own_descriptors(const Thread& thread, uint64_t number, int64_t bytes);

}  // namespace hm::soft::direct
