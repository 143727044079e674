// SPDX-License-Identifier: MIT
// What switch.S has for the engine's C++ code, and what it calls there beside thunks' functions.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/thread.h"

extern "C" {
#define HM_DECLARATION(name, function, text) void function();
HM_THUNKS(HM_DECLARATION)
#undef HM_DECLARATION
[[noreturn]] void hm_enter(const uint8_t* code);
// Does the target's own system call, with the registers of `context`. Where it makes a thread that shares
// this memory, `child` is that thread: it continues in hm_begin_thread. kCallAgain if a signal has arrived.
int64_t hm_raw_system_call(const hm::soft::direct::Context* context, uint64_t number,
                           hm::soft::direct::Thread* child, const uint32_t* signal_arrived);
extern const char hm_trap_for_signal[];
// exit(status), without touching the stack from then on: `thread` may be used by others at once.
[[noreturn]] void hm_exit_thread(uint64_t status, uint32_t* stack_in_use);

// Called when copied code has been left: returns the code to continue with.
const uint8_t* hm_next_code(hm::soft::direct::Core* left);
[[noreturn]] void hm_begin_thread(hm::soft::direct::Thread* thread);
}
