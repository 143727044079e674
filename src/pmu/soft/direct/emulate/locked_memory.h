// SPDX-License-Identifier: MIT
// mlockall(2): locks the target's memory, and not the engine's, which is many times as much.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// mlockall(2), munlockall(2).
int64_t lock_all_memory(const Thread& thread);
int64_t unlock_all_memory();

// Whether mlockall(MCL_FUTURE) concerns the memory that mmap(2) and brk(2) map from now on.
bool locks_future_memory();
// mmap(2), brk(2) while it does.
int64_t map_locked(const Thread& thread, uint64_t number);

}  // namespace hm::soft::direct
