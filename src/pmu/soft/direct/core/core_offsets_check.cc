// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/core/core_offsets.h"

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/runtime/process_area.h"

namespace hm::soft::direct {

static_assert(offsetof(Core, self) == 0);
static_assert(offsetof(Core, context.registers) == CORE_REGISTER(0));
static_assert(offsetof(Core, context.flags) == CORE_FLAGS);
static_assert(offsetof(Core, context.ip) == CORE_IP);
static_assert(offsetof(Core, context.vectors) == CORE_VECTORS);
static_assert(offsetof(Core, tick) == CORE_TICK);
static_assert(offsetof(Core, engine_stack) == CORE_ENGINE_STACK);
static_assert(offsetof(Core, exit) == CORE_EXIT);
static_assert(offsetof(Core, resume) == CORE_RESUME);
static_assert(offsetof(Core, attention) == CORE_ATTENTION);
static_assert(offsetof(Core, checks_alignment) == CORE_CHECKS_ALIGNMENT);
static_assert(offsetof(Core, thunk_flags) == CORE_THUNK_FLAGS);
static_assert(kAlignmentCheckFlag == ALIGNMENT_CHECK);
static_assert(offsetof(UserContext, registers.flags) == USER_CONTEXT_FLAGS);
static_assert(kNowhereOffset == CORE_NOWHERE);
static_assert(offsetof(Context, registers) == CONTEXT_REGISTER(0));
static_assert(offsetof(Context, vectors) == CONTEXT_VECTORS);
static_assert(offsetof(StartInfo, vectors) == START_VECTORS);
static_assert(offsetof(ProcessArea, start) == 0);
static_assert(offsetof(Thread, engine_stack) == THREAD_STACK);

}  // namespace hm::soft::direct
