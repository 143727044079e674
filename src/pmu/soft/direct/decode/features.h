// SPDX-License-Identifier: MIT
// The instruction set extension that an instruction belongs to, as far as processors in use differ. A
// processor without the extension ends the instruction with an invalid-opcode fault. Freestanding.
#pragma once

#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {

// Bits of a mask. This bit: legacy encodings with three opcode bytes (SSSE3, SSE4, AES, SHA, MOVBE, ADX,
// ...).
inline constexpr uint32_t kFeatureThreeByteOpcodes = 1;
inline constexpr uint32_t kFeatureBmi = 2;  // VEX instructions that use only general registers
inline constexpr uint32_t kFeatureAvx = 4;
inline constexpr uint32_t kFeatureAvx512 = 8;  // EVEX, and VEX with mask registers
inline constexpr uint32_t kFeatures = 16;      // the first value that is not a mask

// Returns true for KAND to KUNPCK, KMOV, KORTEST, KTEST, and for KSHIFT in map 3. Intel SDM volume 2, "Opmask
// instructions".
inline bool names_mask_registers(const Instruction& instruction) {
  uint8_t opcode = instruction.opcode;
  if (instruction.map == 3) return opcode >= 0x30 && opcode <= 0x33;
  return instruction.map == 1 && ((opcode >= 0x41 && opcode <= 0x4b) || (opcode >= 0x90 && opcode <= 0x93) ||
                                  opcode == 0x98 || opcode == 0x99);
}

// Returns one of the bits above; 0: every processor has the instruction.
inline uint32_t feature_of(const Instruction& instruction) {
  if (instruction.encoding == Encoding::kEvex) return kFeatureAvx512;
  if (instruction.encoding == Encoding::kLegacy) return instruction.map >= 2 ? kFeatureThreeByteOpcodes : 0;
  if (names_mask_registers(instruction)) return kFeatureAvx512;
  bool general = (instruction.map == 2 && instruction.opcode >= 0xf2 && instruction.opcode <= 0xf7) ||
                 (instruction.map == 3 && instruction.opcode == 0xf0);
  return general ? kFeatureBmi : kFeatureAvx;
}

}  // namespace hm::soft::direct
