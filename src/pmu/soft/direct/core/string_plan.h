// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {

// What is known of a repeated string instruction when it is copied (measure/strings.h).
struct StringPlan {
  uint64_t ip;
  StringOperation operation;
  Repeat repeat;
  uint32_t bytes;         // of an element
  uint64_t further_uops;  // of one iteration, beyond the instruction's own
  bool source_in_fs;
  bool address32;
};

}  // namespace hm::soft::direct
