// SPDX-License-Identifier: MIT
#pragma once

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

// Does the system call that the core's registers ask for. The thread may be on another core afterwards.
Core& do_system_call(Core& core);

}  // namespace hm::soft::direct
