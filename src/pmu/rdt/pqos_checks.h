// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"

namespace hm::rdt {

// What has to hold before libpqos may be initialised for registers, each with a sentence of its own where it
// does not. libpqos itself gives one code for nearly all of it, prints some of it, waits for its lock for
// ever, and on AMD's processors without bandwidth allocation frees memory twice, which ends the process.
[[nodiscard]] Status check_before_pqos_init();

}  // namespace hm::rdt
