// SPDX-License-Identifier: MIT
// Functions that switch.S provides to the engine's C++ code, and C++ functions that it calls besides those of
// the thunks.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/thread.h"

extern "C" {
#define HM_DECLARATION(name, function, text) void function();
HM_THUNKS(HM_DECLARATION)
#undef HM_DECLARATION
[[noreturn]] void hm_enter(const uint8_t* code);
// Executes the target's own system call, with the registers of `context`. If the call creates a thread that
// shares this memory, `child` is that thread: it continues in hm_begin_thread. Returns kCallAgain if a signal
// has arrived.
int64_t hm_raw_system_call(const hm::soft::direct::Context* context, uint64_t number,
                           hm::soft::direct::Thread* child, const uint32_t* signal_arrived);
extern const char hm_trap_for_signal[];
// Calls exit(status). From then on the stack is not touched, because another thread may use it at once.
[[noreturn]] void hm_exit_thread(uint64_t status, uint32_t* stack_in_use);

// Called when copied code has been left. Returns the code to continue with.
const uint8_t* hm_next_code(hm::soft::direct::Core* left);
[[noreturn]] void hm_begin_thread(hm::soft::direct::Thread* thread);
}
