// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace hm::host {

// Of the monotonic clock (clock_gettime(2)).
[[nodiscard]] uint64_t now_ns();

// The clock of the core that this runs on, in cycles a nanosecond: a chain of register additions, each of
// which needs the one before, takes a cycle each on every x86-64 processor (Agner Fog, "Instruction tables",
// ADD r,r). The fastest of several short runs, which nothing has disturbed; some 50 microseconds in all.
[[nodiscard]] double core_clock_ghz();

}  // namespace hm::host
