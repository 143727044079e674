// SPDX-License-Identifier: MIT
// What the engine's files share.
#pragma once

#include "pmu/soft/direct/code_cache.h"
#include "pmu/soft/direct/core.h"
#include "pmu/soft/direct/lock.h"
#include "pmu/soft/direct/plan.h"
#include "pmu/soft/direct/recording.h"

namespace hm::soft::direct {

extern Plan g_plan;

// The copy, for this mode, of the code at `target`; made if there is none. Called with g_translation held.
extern Lock g_translation;
Block& block_at(uint64_t target, Mode mode);

// Empties the core's table of indirect targets, or removes one of them.
void forget_indirect_targets(Core& core);
void forget_indirect_target(Core& core, uint64_t target);

// Does the system call that the core's registers ask for. The thread may be on another core afterwards.
Core& do_system_call(Core& core);

}  // namespace hm::soft::direct

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
// Called when copied code has been left: returns the code to continue with.
const uint8_t* hm_next_code(hm::soft::direct::Core* left);
[[noreturn]] void hm_begin_thread(hm::soft::direct::Thread* thread);
// exit(status), without touching the stack from then on: `thread` may be used by others at once.
[[noreturn]] void hm_exit_thread(uint64_t status, uint32_t* stack_in_use);
}
