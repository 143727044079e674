// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {

// Properties of a repeated string instruction, recorded when it is copied (measure/strings.h).
struct StringPlan {
  uint64_t ip;
  StringOperation operation;
  Repeat repeat;
  uint32_t bytes;         // size of an element
  uint64_t further_uops;  // micro-ops of one iteration, beyond the instruction's own
  bool source_in_fs;
  bool address32;
};

}  // namespace hm::soft::direct
