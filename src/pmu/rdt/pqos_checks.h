// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"

namespace hm::rdt {

// Checks the preconditions of libpqos's initialisation for registers; each failure has its own message.
// libpqos itself returns one code for nearly all failures, prints some messages, and waits for its lock
// without timeout. On AMD processors without bandwidth allocation it frees memory twice, which ends the
// process.
[[nodiscard]] Status check_before_pqos_init();

}  // namespace hm::rdt
