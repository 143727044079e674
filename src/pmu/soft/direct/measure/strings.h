// SPDX-License-Identifier: MIT
// Repeated string instructions: copied as they are and modelled when it is known how often they repeated.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/string_plan.h"

namespace hm::soft::direct {

// Models one that began with the registers in core.string and has left the context's registers and flags as
// they are, at its end or where a signal interrupted it. Advances the core's tick.
void model_string(Core& core, bool interrupted);

}  // namespace hm::soft::direct
