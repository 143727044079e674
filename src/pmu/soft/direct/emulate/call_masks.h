// SPDX-License-Identifier: MIT
// System calls that wait with a signal mask of their own: ppoll(2) and similar calls.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

// Called after the kernel has done the call with this result. The call may have been ended by a signal that
// the thread's own mask blocks. The signal's handler then begins under the call's mask, and returns to the
// thread's mask.
void follow_mask_of_call(Thread& thread, uint64_t number, int64_t result);

}  // namespace hm::soft::direct
