// SPDX-License-Identifier: MIT
// The limits on the target's memory (ring/limit_reserve.h). The target sees and changes its own limits, and
// its calls fail natively if they would exceed these limits.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// Called before the target runs, and again after it has run natively.
void learn_memory_limits();

// Returns true if the soft limit of a resource (RLIMIT_*) is at least this.
bool has_limit_of(uint32_t resource, uint64_t least);

// Executes getrlimit(2), setrlimit(2) or prlimit(2).
int64_t use_limits(const Thread& thread, uint64_t number);

// Returns true if the call (mmap(2), brk(2), mremap(2)) would exceed a limit. `result` is then the call's
// return value.
bool exceeds_memory_limits(const Thread& thread, uint64_t number, int64_t& result);

// Returns the size in bytes of the target's address space, as the kernel counts it.
uint64_t address_space_in_use();

// Called before the process executes a program that runs natively: from then on, its limits are the kernel's.
// Hard limits keep the reserve if the process could not restore it after a failed execution.
void begin_native_program();
void resume_after_native_program();

}  // namespace hm::soft::direct
