// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"
#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {

// `iterations` of a repeated string instruction, with elements of so many bytes, that found core.string; the
// direction is that of core.context.flags.
void model_string(Core& core, StringOperation operation, uint32_t bytes, uint64_t iterations);

}  // namespace hm::soft::direct
