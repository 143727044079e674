// SPDX-License-Identifier: MIT
// Shared memory for which there is no room any more. Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

// The address is where an access has ended in SIGBUS. If it is in a file that the engine has mapped, a page
// of zeros that belongs to this process alone is there from now on, and the access can be done again. The
// page has never been there before, unless another process has cut off the file. Counted in
// Session::lost_pages.
bool replace_lost_page(uint64_t address);

}  // namespace hm::soft::direct
