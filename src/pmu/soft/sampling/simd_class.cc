// SPDX-License-Identifier: MIT
// Opcode maps: Intel SDM volume 2, appendix A; EVEX: the instructions' own pages.
#include "pmu/soft/sampling/instruction_class.h"
#include "pmu/soft/sampling/opcode.h"

namespace hm::soft {
namespace {

SimdClass by_prefix(Prefix prefix) {
  constexpr SimdClass kClasses[] = {SimdClass::kPackedSp, SimdClass::kPackedDp, SimdClass::kScalarSp,
                                    SimdClass::kScalarDp};
  return kClasses[prefix];
}

SimdClass packed_by_width(const Opcode& op) { return op.wide ? SimdClass::kPackedDp : SimdClass::kPackedSp; }
SimdClass scalar_by_width(const Opcode& op) { return op.wide ? SimdClass::kScalarDp : SimdClass::kScalarSp; }

SimdClass integer(const Opcode& op) {
  return op.prefix == kNoPrefix && !op.vex ? SimdClass::kMmx64 : SimdClass::kSimd128;
}

// D8 to DF. Control instructions (fldcw, fnstsw, ffree, ...) are neither arithmetic nor moves.
SimdClass x87_class(const Opcode& op) {
  bool memory = op.modrm < 0xc0;
  unsigned extension = (op.modrm >> 3) & 7;
  switch (op.byte) {
    case 0xd9:
      if (memory) return extension <= 3 ? SimdClass::kMove : SimdClass::kNone;
      if (op.modrm <= 0xcf || in(op.modrm, 0xd8, 0xdf) || in(op.modrm, 0xe8, 0xee)) return SimdClass::kMove;
      return op.modrm == 0xd0 || in(op.modrm, 0xf6, 0xf7) ? SimdClass::kNone : SimdClass::kX87;
    case 0xda:
      return memory || op.modrm >= 0xe0 ? SimdClass::kX87 : SimdClass::kMove;
    case 0xdb:
      if (memory || op.modrm <= 0xdf) return SimdClass::kMove;
      return op.modrm >= 0xe8 ? SimdClass::kX87 : SimdClass::kNone;
    case 0xdd:
      if (memory) return extension <= 3 ? SimdClass::kMove : SimdClass::kNone;
      if (in(op.modrm, 0xc8, 0xdf)) return SimdClass::kMove;
      return op.modrm >= 0xe0 ? SimdClass::kX87 : SimdClass::kNone;
    case 0xdf:
      if (memory || in(op.modrm, 0xc8, 0xdf)) return SimdClass::kMove;
      return op.modrm >= 0xe8 ? SimdClass::kX87 : SimdClass::kNone;
    default:
      return SimdClass::kX87;  // D8, DA, DC, DE: arithmetic and compares
  }
}

SimdClass map1_class(const Opcode& op) {
  uint8_t byte = op.byte;
  if (in(byte, 0x10, 0x13) || in(byte, 0x16, 0x17) || in(byte, 0x28, 0x29) || byte == 0x2b)
    return SimdClass::kMove;
  if (in(byte, 0x14, 0x15) || byte == 0x2a || in(byte, 0x2c, 0x2d)) return by_prefix(op.prefix);
  if (in(byte, 0x2e, 0x2f)) return op.prefix == k66 ? SimdClass::kScalarDp : SimdClass::kScalarSp;
  if (byte == 0x5b) return SimdClass::kPackedSp;
  if (in(byte, 0x50, 0x5f)) return by_prefix(op.prefix);
  if (in(byte, 0x6e, 0x6f) || in(byte, 0x7e, 0x7f)) return SimdClass::kMove;
  if (byte == 0x77) return SimdClass::kNone;  // emms, vzeroupper
  if (in(byte, 0x7c, 0x7d) || byte == 0xd0)
    return op.prefix == k66 ? SimdClass::kPackedDp : SimdClass::kPackedSp;
  if (in(byte, 0x60, 0x76) || in(byte, 0xc4, 0xc5)) return integer(op);
  if (byte == 0xc2 || byte == 0xc6) return by_prefix(op.prefix);
  if (byte == 0xd6 || byte == 0xe7 || byte == 0xf0 || byte == 0xf7) return SimdClass::kMove;
  if (byte == 0xe6) return SimdClass::kPackedDp;
  if (in(byte, 0xd1, 0xfe)) return integer(op);
  return SimdClass::kNone;
}

// Fused multiply-add: 96-9F, A6-AF, B6-BF; odd from the third on are scalar.
SimdClass fma_class(const Opcode& op) {
  bool scalar = (op.byte & 0xf) >= 8 && (op.byte & 1) != 0;
  return scalar ? scalar_by_width(op) : packed_by_width(op);
}

SimdClass map2_class(const Opcode& op) {
  uint8_t byte = op.byte;
  if (byte >= 0xf0 || in(byte, 0x80, 0x82))
    return SimdClass::kNone;                             // general registers: movbe, crc32, BMI, invept
  if (in(byte, 0xc8, 0xcd)) return SimdClass::kSimd128;  // SHA has no mandatory prefix
  if (byte >= 0x96 && byte <= 0xbf && (byte & 0xf) >= 6) return fma_class(op);
  switch (byte) {
    case 0x0c:
    case 0x0e:
    case 0x13:
    case 0x14:
    case 0x16:
      return SimdClass::kPackedSp;
    case 0x0d:
    case 0x0f:
    case 0x15:
      return SimdClass::kPackedDp;
    case 0x18:
    case 0x19:
    case 0x1a:
    case 0x2a:
    case 0x2c:
    case 0x2d:
    case 0x2e:
    case 0x2f:
    case 0x58:
    case 0x59:
    case 0x5a:
    case 0x78:
    case 0x79:
    case 0x8c:
    case 0x8e:
      return SimdClass::kMove;
    default:
      return in(byte, 0x90, 0x93) ? SimdClass::kMove : integer(op);
  }
}

SimdClass map3_class(const Opcode& op) {
  if (in(op.byte, 0x30, 0x33)) return SimdClass::kNone;  // shifts of masks
  switch (op.byte) {
    case 0xf0:
      return SimdClass::kNone;  // rorx
    case 0x04:
    case 0x06:
    case 0x08:
    case 0x0c:
    case 0x17:
    case 0x18:
    case 0x19:
    case 0x1d:
    case 0x21:
    case 0x40:
    case 0x4a:
      return SimdClass::kPackedSp;
    case 0x01:
    case 0x05:
    case 0x09:
    case 0x0d:
    case 0x41:
    case 0x4b:
      return SimdClass::kPackedDp;
    case 0x0a:
      return SimdClass::kScalarSp;
    case 0x0b:
      return SimdClass::kScalarDp;
    case 0xcc:
      return SimdClass::kSimd128;  // sha1rnds4
    default:
      return integer(op);
  }
}

// EVEX has opcodes of its own, and gives some of VEX' to other instructions.

SimdClass evex_map1_class(const Opcode& op) {
  bool of_floats = op.prefix == kNoPrefix || op.prefix == k66;
  switch (op.byte) {
    case 0x78:
    case 0x79:
      return of_floats ? packed_by_width(op) : by_prefix(op.prefix);
    case 0x7a:
      return of_floats ? packed_by_width(op) : op.prefix == kF3 ? SimdClass::kPackedDp : SimdClass::kPackedSp;
    case 0x7b:
      return of_floats ? packed_by_width(op) : by_prefix(op.prefix);
    default:
      return map1_class(op);
  }
}

// Without prefix 66: moves between vectors and masks, narrowing ones, and of bfloat16: vdpbf16ps,
// vcvtneps2bf16, vcvtne2ps2bf16.
SimdClass evex_map2_others(const Opcode& op) {
  if (op.prefix == kF3 && (op.byte == 0x2a || op.byte == 0x3a)) return SimdClass::kMove;  // vpbroadcastm
  bool bfloat = (op.byte == 0x52 && op.prefix == kF3) || (op.byte == 0x72 && op.prefix != kNoPrefix);
  return bfloat ? SimdClass::kPackedSp : SimdClass::kSimd128;
}

SimdClass evex_map2_class(const Opcode& op) {
  if (op.prefix != k66) return evex_map2_others(op);
  switch (op.byte) {
    case 0x13:
      return SimdClass::kPackedSp;
    case 0x14:
    case 0x15:
      return SimdClass::kSimd128;  // rotations
    case 0x16:
    case 0x2c:
    case 0x42:
    case 0x4c:
    case 0x4e:
    case 0x65:
    case 0x77:
    case 0x7f:
    case 0x88:
    case 0x8a:
    case 0xc8:
    case 0xca:
    case 0xcc:
      return packed_by_width(op);
    case 0x2d:
    case 0x43:
    case 0x4d:
    case 0x4f:
    case 0xcb:
    case 0xcd:
      return scalar_by_width(op);
    case 0x1b:
    case 0x5b:
    case 0x7a:
    case 0x7b:
    case 0x7c:
    case 0xa0:
    case 0xa1:
    case 0xa2:
    case 0xa3:
      return SimdClass::kMove;
    default:
      return map2_class(op);
  }
}

SimdClass evex_map3_class(const Opcode& op) {
  switch (op.byte) {
    case 0x18:
    case 0x19:
    case 0x1a:
    case 0x1b:
    case 0x23:
    case 0x26:
    case 0x50:
    case 0x54:
    case 0x56:
    case 0x66:
      return packed_by_width(op);
    case 0x27:
    case 0x51:
    case 0x55:
    case 0x57:
    case 0x67:
      return scalar_by_width(op);
    default:
      return map3_class(op);
  }
}

SimdClass simd_of_evex(const Opcode& op) {
  switch (op.map) {
    case 1:
      return evex_map1_class(op);
    case 2:
      return evex_map2_class(op);
    case 3:
      return evex_map3_class(op);
    default:
      return SimdClass::kNone;  // half precision
  }
}

}  // namespace

SimdClass simd_of(const Opcode& op) {
  if (op.evex) return simd_of_evex(op);
  switch (op.map) {
    case 0:
      return !op.vex && in(op.byte, 0xd8, 0xdf) ? x87_class(op) : SimdClass::kNone;
    case 1:
      return map1_class(op);
    case 2:
      return map2_class(op);
    case 3:
      return map3_class(op);
    default:
      return SimdClass::kNone;
  }
}

}  // namespace hm::soft
