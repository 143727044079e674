// SPDX-License-Identifier: MIT
// Instructions that access memory element by element, those that a mask names: gathers, scatters, AVX's
// masked moves; and those of AVX-512 whose mask tells which part of their operand they touch.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/access_info.h"

namespace hm::soft::direct {

// What is known of such an instruction when it is copied.
struct ElementsPlan {
  uint64_t ip;
  AccessInfo info;  // of one element
  uint32_t count;
  uint32_t index_bytes;  // 0: one element behind the other
  uint32_t scale;
  bool at_once;        // one access, from the first element to the last
  bool packed;         // the elements that the mask names lie one behind the other from the start
  bool mask_register;  // the mask is a bit for each element; else each element's highest bit
  bool address32;
  bool in_fs;
  bool flags_saved;
};

}  // namespace hm::soft::direct
