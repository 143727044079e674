// SPDX-License-Identifier: MIT
// The limits of the target's memory (ring/limit_reserve.h): the target sees and changes its own, and what
// would exceed them fails as natively.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// Before the target runs, or has run on natively.
void learn_memory_limits();

// getrlimit(2), setrlimit(2), prlimit(2).
int64_t use_limits(const Thread& thread, uint64_t number);

// mmap(2), brk(2), mremap(2): whether it would exceed a limit; `result` is then what the call returns.
bool exceeds_memory_limits(const Thread& thread, uint64_t number, int64_t& result);

// The target's address space, as the kernel counts it, in bytes.
uint64_t address_space_in_use();

// The process is about to become a program that runs natively: its limits are the kernel's from now on. In
// hard limits the reserve stays if the process could not put it back where the program cannot be executed.
void begin_native_program();
void resume_after_native_program();

}  // namespace hm::soft::direct
