// SPDX-License-Identifier: MIT
// The launcher's part of ring/limit_reserve.h.
#pragma once

#include <sys/types.h>

#include "base/result.h"

namespace hm::soft {

// To be called before the engine is loaded into the process. Fails with kPermission if a hard limit would
// have to be raised, which requires CAP_SYS_RESOURCE; the limits are then unchanged.
Status add_limit_reserves(pid_t process);

// Number of file descriptors that the engine keeps open in a process.
inline constexpr uint64_t kEngineDescriptors = 3;
// Fails with kPermission if the process has fewer free descriptors up to its hard limit.
Status check_free_descriptors(pid_t process);

// To be called when the engine is not in the process any more.
void remove_limit_reserves(pid_t process);

}  // namespace hm::soft
