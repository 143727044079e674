// SPDX-License-Identifier: MIT
// Instructions that access memory element by element, as a mask selects: gathers, scatters, AVX's masked
// moves. Also AVX-512 instructions with a mask that selects the part of the operand they touch.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/access_info.h"

namespace hm::soft::direct {

// Properties of an instruction with element accesses, recorded when it is copied.
struct ElementsPlan {
  uint64_t ip;
  AccessInfo info;  // of one element
  uint32_t count;
  uint32_t index_bytes;  // size of an index; 0: the elements are contiguous
  uint32_t scale;
  bool at_once;        // one access, from the first selected element to the last
  bool packed;         // the selected elements are contiguous from the start
  bool mask_register;  // the mask has one bit for each element; otherwise the mask bit is each element's
                       // highest bit
  bool address32;
  bool in_fs;
  bool flags_saved;
};

}  // namespace hm::soft::direct
