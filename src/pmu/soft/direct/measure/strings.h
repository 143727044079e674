// SPDX-License-Identifier: MIT
// Repeated string instructions. They are copied unchanged, and modelled once the number of repetitions is
// known.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/string_plan.h"

namespace hm::soft::direct {

// Models a string instruction that began with the registers in core.string. The context's registers and flags
// are those at its end, or at the signal that interrupted it. Advances the core's tick.
void model_string(Core& core, bool interrupted);

}  // namespace hm::soft::direct
