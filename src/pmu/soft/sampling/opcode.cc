// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/opcode.h"

namespace hm::soft {
namespace {

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

Opcode read_evex(Cursor& cursor) {
  Opcode op;
  op.vex = op.evex = true;
  cursor.next();
  op.map = cursor.next() & 7;
  uint8_t second = cursor.next();
  op.wide = (second & 0x80) != 0;
  op.prefix = static_cast<Prefix>(second & 3);
  cursor.next();
  op.byte = cursor.next();
  op.modrm = cursor.peek();
  return op;
}

bool is_legacy_prefix(uint8_t byte) {
  return byte == 0x66 || byte == 0x67 || byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26 ||
         in(byte, 0x64, 0x65) || byte == 0xf0 || byte == 0xf2 || byte == 0xf3;
}

}  // namespace

Opcode read_opcode(const uint8_t* code, unsigned length) {
  Cursor cursor(code, length);
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
  if (cursor.peek() == 0x62) return read_evex(cursor);
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

}  // namespace hm::soft
