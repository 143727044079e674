// SPDX-License-Identifier: MIT
// mlockall(2): locks the target's memory, but not the engine's, which is many times larger.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// Implement mlockall(2) and munlockall(2).
int64_t lock_all_memory(const Thread& thread);
int64_t unlock_all_memory();

// Returns true if mlockall(MCL_FUTURE) is in effect for memory that mmap(2) and brk(2) map from now on.
bool locks_future_memory();
// Executes mmap(2) or brk(2) while mlockall(MCL_FUTURE) is in effect.
int64_t map_locked(const Thread& thread, uint64_t number);

}  // namespace hm::soft::direct
