// SPDX-License-Identifier: MIT
// The bytes of an instruction up to its opcode: prefixes, REX, VEX, EVEX, escapes. Intel SDM volume 2,
// chapter 2.
#pragma once

#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {

struct Cursor {
  const uint8_t* start;
  const uint8_t* at;
  const uint8_t* end;       // end of the longest possible instruction
  const uint8_t* readable;  // end of the available bytes: `end` or later

  [[nodiscard]] bool has(size_t bytes) const { return static_cast<size_t>(end - at) >= bytes; }
  [[nodiscard]] uint8_t offset() const { return static_cast<uint8_t>(at - start); }
};

// Values that the prefixes contribute. Bits have the instruction's meaning: they are not inverted.
struct Head {
  unsigned slot = 0;       // slot of the opcode in the directory
  unsigned variant = 0;    // variant in the slot's block
  unsigned r = 0;          // fourth bit of ModRM.reg
  unsigned x = 0;          // fourth bit of SIB.index
  unsigned b = 0;          // fourth bit of ModRM.rm, SIB.base, or the opcode's register
  unsigned r2 = 0;         // fifth bit of ModRM.reg
  unsigned vvvv = 0;       // all five bits
  unsigned mask_form = 0;  // bit 0: a mask register is named, bit 1: z
};

// Reads all bytes up to the opcode, and leaves the cursor behind the opcode. Returns false if the bytes end,
// or if no instruction begins with them.
bool read_head(Cursor& cursor, Head& head, Instruction& out);

}  // namespace hm::soft::direct
