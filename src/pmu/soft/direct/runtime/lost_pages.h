// SPDX-License-Identifier: MIT
// Pages of shared memory for which the file system has no room. Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

// Handles an access to `address` that has ended in SIGBUS. If the address is in a file that the engine has
// mapped, maps a zeroed page there that belongs to this process alone. The access can then be repeated. The
// page did not exist before, unless another process has truncated the file. Counted in Session::lost_pages.
bool replace_lost_page(uint64_t address);

}  // namespace hm::soft::direct
