// SPDX-License-Identifier: MIT
// Instructions whose result depends on the processor (translate/superblock.h), in reproducible runs.
#pragma once

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

// Executes such an instruction, at core.context.ip.
void run_defined_instruction(Core& core);

}  // namespace hm::soft::direct
