// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/sampling/sample_record.h"

namespace hm::soft::direct {

// Returns the target's registers from the core's context, with `ip` as the instruction pointer.
Registers registers_of(const Core& core, uint64_t ip);

}  // namespace hm::soft::direct
