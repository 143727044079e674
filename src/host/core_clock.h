// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace hm::host {

// Returns the time of the monotonic clock (clock_gettime(2)).
[[nodiscard]] uint64_t now_ns();

// Returns the clock frequency of the current core, in cycles per nanosecond. Times a chain of dependent
// register additions, which take one cycle each on every x86-64 processor (Agner Fog, "Instruction tables",
// ADD r,r). Uses the fastest of several short, undisturbed runs; takes about 50 microseconds.
[[nodiscard]] double core_clock_ghz();

}  // namespace hm::host
