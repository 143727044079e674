// SPDX-License-Identifier: MIT
// The bytes of an instruction up to its opcode: prefixes, REX, VEX, EVEX, escapes. Intel SDM volume 2,
// chapter 2.
#pragma once

#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {

struct Cursor {
  const uint8_t* start;
  const uint8_t* at;
  const uint8_t* end;       // of what an instruction may have
  const uint8_t* readable;  // end of the bytes that there are: `end` or later

  [[nodiscard]] bool has(size_t bytes) const { return static_cast<size_t>(end - at) >= bytes; }
  [[nodiscard]] uint8_t offset() const { return static_cast<uint8_t>(at - start); }
};

// What the prefixes give to the rest; bits are as the instruction means them, not inverted.
struct Head {
  unsigned slot = 0;       // of the opcode in the directory
  unsigned variant = 0;    // in its block
  unsigned r = 0;          // the fourth bit of ModRM.reg
  unsigned x = 0;          // of SIB.index
  unsigned b = 0;          // of ModRM.rm, SIB.base, or the opcode's register
  unsigned r2 = 0;         // the fifth of ModRM.reg
  unsigned vvvv = 0;       // all five bits
  unsigned mask_form = 0;  // bit 0: a mask register is named, bit 1: z
};

// Leaves the cursor behind the opcode. False: the bytes end, or no instruction begins like this.
bool read_head(Cursor& cursor, Head& head, Instruction& out);

}  // namespace hm::soft::direct
