// SPDX-License-Identifier: MIT
// The launcher's part of ring/limit_reserve.h.
#pragma once

#include <sys/types.h>

#include "base/result.h"

namespace hm::soft {

// Called before the engine is loaded. Fails with kPermission if a hard limit would have to be raised, which
// requires CAP_SYS_RESOURCE; the limits are then unchanged.
Status add_limit_reserves(pid_t process);

// Called once the engine is gone.
void remove_limit_reserves(pid_t process);

}  // namespace hm::soft
