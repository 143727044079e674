// SPDX-License-Identifier: MIT
// Wakes the recorder, which otherwise polls a few times a second. Freestanding.
#pragma once

#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {

inline void ring_doorbell(Session& session) {
  __atomic_fetch_add(&session.doorbell, 1, __ATOMIC_RELEASE);
  futex_wake(&session.doorbell);
}

}  // namespace hm::soft
