// SPDX-License-Identifier: MIT
// The launcher's part of ring/limit_reserve.h.
#pragma once

#include <sys/types.h>

#include "base/result.h"

namespace hm::soft {

// Before the engine comes into the process. kPermission: a hard limit would have to be raised, which takes
// CAP_SYS_RESOURCE; the limits are as they were.
Status add_limit_reserves(pid_t process);

// Once the engine is not there.
void remove_limit_reserves(pid_t process);

}  // namespace hm::soft
