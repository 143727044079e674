// SPDX-License-Identifier: MIT
// Size of the address space that a core's touch table takes (core.h).
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

// Time at which touching copies last used a line: the low 32 bits of the tick; 0: never.
using TouchStamp = uint32_t;

// The touch table has one stamp for each line of the address space, and begins at this distance from the
// core. Most of the table is never written, and takes no memory (touch_parts.h).
inline constexpr uint64_t kTouchTableOffset = uint64_t{1} << 30;
inline constexpr unsigned kUserAddressBits = 47;
constexpr uint64_t touch_table_bytes(unsigned line_shift) {
  return (uint64_t{1} << (kUserAddressBits - line_shift)) * sizeof(TouchStamp);
}

}  // namespace hm::soft::direct
