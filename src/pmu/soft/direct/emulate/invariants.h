// SPDX-License-Identifier: MIT
// Invariants at the borders between the engine's code, copies and the kernel. They are checked if
// HARDMETER_CHECK=1 (runtime/check.h).
#pragma once

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

// Called before the core continues with a copy or with a native step. The calling thread must hold no lock,
// and must be the only thread that has the core.
void check_before_program(const Core& core);

// Called when a signal has interrupted a copy of the program's code.
void check_in_copy(const Thread& thread);

// Called before a system call of the program, during which other threads may have the thread's core.
void check_before_call(const Thread& thread);

// Called before fork(2): the thread must hold all locks, and have no core.
void check_before_fork(const Thread& thread);

// Called where no signal may arrive: the kernel must let none through.
void check_signals_blocked();

// Called when the thread can take signals: the kernel's mask must follow from the program's.
void check_kernel_mask(const Thread& thread);

}  // namespace hm::soft::direct
