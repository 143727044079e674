// SPDX-License-Identifier: MIT
// Address randomization of the programs to start (personality(2), ADDR_NO_RANDOMIZE). Seccomp profiles such
// as Docker's default one forbid to disable it.
#pragma once

namespace hm::soft {

// Returns true if programs that this process starts can have the same addresses in each run.
[[nodiscard]] bool can_fix_addresses();

// Gives the next program of this process the same addresses in each run, if this is allowed. Safe between
// fork and exec.
void fix_addresses();

}  // namespace hm::soft
