// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"

namespace hm::rdt {

// Checks the conditions for initialising libpqos with registers, and returns a specific error for each.
// libpqos itself returns one code for nearly all failures, prints some of them, and waits for its lock
// forever. On AMD processors without bandwidth allocation it frees memory twice, which ends the process.
[[nodiscard]] Status check_before_pqos_init();

}  // namespace hm::rdt
