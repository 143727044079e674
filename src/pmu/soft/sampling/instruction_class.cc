// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/instruction_class.h"

#include "pmu/soft/sampling/opcode.h"

namespace hm::soft {
namespace {

BranchKind branch_of(const Opcode& op) {
  if (op.vex) return BranchKind::kNone;
  if (op.map == 1) return in(op.byte, 0x80, 0x8f) ? BranchKind::kConditional : BranchKind::kNone;
  if (op.map != 0) return BranchKind::kNone;
  if (in(op.byte, 0x70, 0x7f) || in(op.byte, 0xe0, 0xe3)) return BranchKind::kConditional;
  switch (op.byte) {
    case 0xe8:
      return BranchKind::kCall;
    case 0xe9:
    case 0xeb:
      return BranchKind::kJump;
    case 0xc2:
    case 0xc3:
      return BranchKind::kReturn;
    case 0xff: {
      unsigned extension = (op.modrm >> 3) & 7;
      return extension == 2   ? BranchKind::kIndirectCall
             : extension == 4 ? BranchKind::kIndirectJump
                              : BranchKind::kNone;
    }
    default:
      return BranchKind::kNone;
  }
}

// mov, movzx, movsx, movsxd, pop of a general register; SIMD and x87 moves.
bool only_moves(const Opcode& op, SimdClass simd) {
  if (simd == SimdClass::kMove) return true;
  if (op.vex) return false;
  if (op.map == 1) return in(op.byte, 0xb6, 0xb7) || in(op.byte, 0xbe, 0xbf);
  if (op.map != 0) return false;
  return in(op.byte, 0x88, 0x8b) || in(op.byte, 0xa0, 0xa3) || op.byte == 0x63 || in(op.byte, 0x58, 0x5f) ||
         in(op.byte, 0xb0, 0xbf) || (in(op.byte, 0xc6, 0xc7) && (op.modrm >> 3 & 7) == 0);
}

bool is_bit_of_register(const Opcode& op) {
  bool bit = op.byte == 0xa3 || op.byte == 0xab || op.byte == 0xb3 || op.byte == 0xbb;
  return op.map == 1 && !op.vex && bit && op.modrm >= 0xc0;
}

}  // namespace

InstructionClass classify(const uint8_t* code, unsigned length) {
  Opcode op = read_opcode(code, length);
  SimdClass simd = simd_of(op);
  return {branch_of(op), simd, only_moves(op, simd), is_bit_of_register(op)};
}

}  // namespace hm::soft
