// SPDX-License-Identifier: MIT
// Repeated string instructions: copied as they are and modelled when it is known how often they repeated.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"
#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {

// What is known of such an instruction when it is copied.
struct StringPlan {
  uint64_t ip;
  StringOperation operation;
  Repeat repeat;
  uint32_t bytes;         // of an element
  uint64_t further_uops;  // of one iteration, beyond the instruction's own
  bool source_in_fs;
  bool address32;
};

// Models one that began with the registers in core.string and has left the context's registers and flags as
// they are, at its end or where a signal interrupted it. Advances the core's tick.
void model_string(Core& core, bool interrupted);

}  // namespace hm::soft::direct
