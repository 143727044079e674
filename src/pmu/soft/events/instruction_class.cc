// SPDX-License-Identifier: MIT
#include "pmu/soft/events/instruction_class.h"

namespace hm::soft {
namespace {

// The mandatory prefix, in VEX's own numbering.
enum Prefix : uint8_t { kNoPrefix = 0, k66 = 1, kF3 = 2, kF2 = 3 };

struct Opcode {
  uint8_t map = 0;  // 0: one byte; 1: 0F; 2: 0F 38; 3: 0F 3A
  uint8_t byte = 0;
  uint8_t modrm = 0;
  Prefix prefix = kNoPrefix;
  bool wide = false;  // REX.W or VEX.W
  bool vex = false;
};

bool in(uint8_t value, uint8_t first, uint8_t last) { return value >= first && value <= last; }

// Reads bytes, zeros past the end: a class is decided only by bytes that there are.
class Cursor {
 public:
  Cursor(const uint8_t* code, unsigned length) : code_(code), length_(length) {}
  [[nodiscard]] uint8_t peek(unsigned ahead = 0) const {
    return at_ + ahead < length_ ? code_[at_ + ahead] : 0;
  }
  uint8_t next() { return at_ < length_ ? code_[at_++] : uint8_t{0}; }
  [[nodiscard]] bool done() const { return at_ >= length_; }

 private:
  const uint8_t* code_;
  unsigned length_;
  unsigned at_ = 0;
};

Opcode read_vex(Cursor& cursor) {
  Opcode op;
  op.vex = true;
  if (cursor.next() == 0xc5) {
    op.map = 1;
    op.prefix = static_cast<Prefix>(cursor.next() & 3);
  } else {
    op.map = cursor.next() & 0x1f;
    uint8_t second = cursor.next();
    op.wide = (second & 0x80) != 0;
    op.prefix = static_cast<Prefix>(second & 3);
  }
  op.byte = cursor.next();
  op.modrm = cursor.peek();
  return op;
}

bool is_legacy_prefix(uint8_t byte) {
  return byte == 0x66 || byte == 0x67 || byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26 ||
         in(byte, 0x64, 0x65) || byte == 0xf0 || byte == 0xf2 || byte == 0xf3;
}

Opcode read_opcode(Cursor& cursor) {
  Opcode op;
  for (; !cursor.done(); cursor.next()) {
    uint8_t byte = cursor.peek();
    bool rex = in(byte, 0x40, 0x4f);
    if (!rex && !is_legacy_prefix(byte)) break;
    op.wide = rex && (byte & 8) != 0;  // a REX prefix counts only right before the opcode
    if (byte == 0x66 && op.prefix == kNoPrefix) op.prefix = k66;
    if (byte == 0xf2 || byte == 0xf3) op.prefix = byte == 0xf3 ? kF3 : kF2;
  }
  if (cursor.peek() == 0xc4 || cursor.peek() == 0xc5) return read_vex(cursor);
  op.byte = cursor.next();
  if (op.byte == 0x0f) {
    op.map = 1;
    op.byte = cursor.next();
    if (op.byte == 0x38 || op.byte == 0x3a) {
      op.map = op.byte == 0x38 ? 2 : 3;
      op.byte = cursor.next();
    }
  }
  op.modrm = cursor.peek();
  return op;
}

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

SimdClass by_prefix(Prefix prefix) {
  constexpr SimdClass kClasses[] = {SimdClass::kPackedSp, SimdClass::kPackedDp, SimdClass::kScalarSp,
                                    SimdClass::kScalarDp};
  return kClasses[prefix];
}

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
  if (scalar) return op.wide ? SimdClass::kScalarDp : SimdClass::kScalarSp;
  return op.wide ? SimdClass::kPackedDp : SimdClass::kPackedSp;
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

SimdClass simd_of(const Opcode& op) {
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
  Cursor cursor(code, length);
  Opcode op = read_opcode(cursor);
  SimdClass simd = simd_of(op);
  return {branch_of(op), simd, only_moves(op, simd), is_bit_of_register(op)};
}

}  // namespace hm::soft
