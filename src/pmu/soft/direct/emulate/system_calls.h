// SPDX-License-Identifier: MIT
#pragma once

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {

// Whether the call's fourth argument is a relative limit of time in milliseconds, which a call that is begun
// anew would begin anew. Thread::call_began_ns says when it was begun.
constexpr bool has_millisecond_limit(uint64_t number) {
  return number == kEpollWait || number == kEpollPwait;
}

// Does the system call that the core's registers ask for. The thread may be on another core afterwards.
Core& do_system_call(Core& core);

}  // namespace hm::soft::direct
