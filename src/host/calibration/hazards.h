// SPDX-License-Identifier: MIT
// Cases that processors handle badly, each measured beside the same code without the case.
#pragma once

#include "host/calibration/machine_profile.h"
#include "host/calibration/repeated.h"

namespace hm::host {

[[nodiscard]] Hazards measure_hazards(const Repetitions& repetitions);

// Returns how many independent additions of registers the core executes in a cycle.
[[nodiscard]] double additions_per_cycle(const Repetitions& repetitions);

// Returns how many instructions of any kind the core can begin in a cycle.
[[nodiscard]] double instructions_per_cycle(const Repetitions& repetitions);

}  // namespace hm::host
