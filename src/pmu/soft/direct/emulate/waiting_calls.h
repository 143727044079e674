// SPDX-License-Identifier: MIT
// System calls that wait for no other thread or process. During one of these calls, a thread keeps pace with
// the others (schedule/pace.h): they wait for it even if the host takes its CPU away meanwhile. System calls
// that are not listed here are assumed to wait.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

bool waits_for_nobody(const Context& context, uint64_t number);

}  // namespace hm::soft::direct
