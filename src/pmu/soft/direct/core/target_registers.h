// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/sampling/sample_record.h"

namespace hm::soft::direct {

// The target's registers, as the context has them, at the instruction `ip`.
Registers registers_of(const Core& core, uint64_t ip);

}  // namespace hm::soft::direct
