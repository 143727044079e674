// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/decode/head.h"

#include "pmu/soft/direct/decode/row.h"

namespace hm::soft::direct {
namespace {

constexpr uint8_t kRexW = 8;
constexpr uint8_t kRexR = 4;
constexpr uint8_t kRexX = 2;
constexpr uint8_t kRexB = 1;

// Bit `at` of a byte in which 0 means 1.
constexpr uint8_t inverted(uint8_t byte, unsigned at) { return (~byte >> at) & 1; }

void read_repeat(uint8_t byte, Instruction& out) {
  out.prefix_f2 = byte == 0xf2;
  out.prefix_f3 = byte == 0xf3;
}

// Whether the byte is a legacy prefix, and taken.
bool take_prefix(uint8_t byte, Instruction& out) {
  switch (byte) {
    case 0x66:
      out.prefix_66 = true;
      return true;
    case 0x67:
      out.prefix_67 = true;
      return true;
    case 0xf2:
    case 0xf3:
      read_repeat(byte, out);
      return true;
    case 0xf0:
      out.prefix_lock = true;
      return true;
    case 0x64:
      out.segment = Segment::kFs;
      return true;
    case 0x65:
      out.segment = Segment::kGs;
      return true;
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
      return true;
    default:
      return false;
  }
}

// A REX counts only right before the opcode.
bool read_prefixes(Cursor& cursor, Instruction& out) {
  for (; cursor.has(1); ++cursor.at) {
    uint8_t byte = *cursor.at;
    if ((byte & 0xf0) == 0x40) {
      out.rex = byte;
      out.prefix_offset = cursor.offset();
    } else if (take_prefix(byte, out)) {
      out.rex = 0;
      out.prefix_offset = 0;
    } else {
      return true;
    }
  }
  return false;
}

bool read_opcode(Cursor& cursor, Instruction& out) {
  if (!cursor.has(1)) return false;
  out.opcode_offset = cursor.offset();
  out.opcode = *cursor.at++;
  return true;
}

bool read_legacy(Cursor& cursor, Head& head, Instruction& out) {
  if (!read_opcode(cursor, out)) return false;
  if (out.opcode == 0x0f) {
    if (!read_opcode(cursor, out)) return false;
    out.map = 1;
    if (out.opcode == 0x38 || out.opcode == 0x3a) {
      out.map = out.opcode == 0x38 ? 2 : 3;
      if (!read_opcode(cursor, out)) return false;
    }
  }
  head.r = (out.rex & kRexR) != 0;
  head.x = (out.rex & kRexX) != 0;
  head.b = (out.rex & kRexB) != 0;
  unsigned opcode = out.opcode;
  // 90 is a no-operation only while it names rax; with F3 it is pause, whatever it names.
  if (opcode == 0x90 && out.map == 0 && head.b != 0 && !out.prefix_f3) opcode = 0x91;
  unsigned repeat = out.prefix_f2 ? 2u : out.prefix_f3;
  head.slot = static_cast<uint16_t>(legacy_slot(out.map, opcode));
  head.variant = static_cast<uint8_t>(legacy_variant(repeat, out.prefix_66, (out.rex & kRexW) != 0));
  return true;
}

bool read_vex(Cursor& cursor, Head& head, Instruction& out) {
  bool has_three_bytes = *cursor.at == 0xc4;
  if (!cursor.has(has_three_bytes ? 3 : 2)) return false;
  uint8_t first = cursor.at[1];
  uint8_t last = has_three_bytes ? cursor.at[2] : first;
  head.r = inverted(first, 7);
  out.map = 1;
  unsigned w = 0;
  if (has_three_bytes) {
    head.x = inverted(first, 6);
    head.b = inverted(first, 5);
    out.map = first & 0x1f;
    w = last >> 7;
  }
  if (out.map < 1 || out.map > 3) return false;
  head.vvvv = (~last >> 3) & 0xf;
  out.encoding = Encoding::kVex;
  out.prefix_offset = cursor.offset();
  cursor.at += has_three_bytes ? 3 : 2;
  if (!read_opcode(cursor, out)) return false;
  head.slot = static_cast<uint16_t>(vex_slot(out.map, out.opcode));
  head.variant = static_cast<uint8_t>(vex_variant(last & 3, w, (last >> 2) & 1));
  return true;
}

bool read_evex(Cursor& cursor, Head& head, Instruction& out) {
  if (!cursor.has(4)) return false;
  uint8_t p0 = cursor.at[1];
  uint8_t p1 = cursor.at[2];
  uint8_t p2 = cursor.at[3];
  bool fixed_bits = (p0 & 8) == 0 && (p1 & 4) != 0;
  out.map = p0 & 7;
  if (!fixed_bits || out.map < 1 || out.map > 6) return false;
  head.r = inverted(p0, 7);
  head.x = inverted(p0, 6);
  head.b = inverted(p0, 5);
  head.r2 = inverted(p0, 4);
  head.vvvv = static_cast<uint8_t>(inverted(p2, 3) << 4 | ((~p1 >> 3) & 0xf));
  head.mask_form = static_cast<uint8_t>((p2 >> 7) << 1 | ((p2 & 7) != 0));
  out.encoding = Encoding::kEvex;
  out.prefix_offset = cursor.offset();
  cursor.at += 4;
  if (!read_opcode(cursor, out)) return false;
  head.slot = static_cast<uint16_t>(evex_slot(out.map, p1 & 3, out.opcode));
  head.variant = static_cast<uint8_t>(evex_variant(p1 >> 7, (p2 >> 5) & 3, (p2 >> 4) & 1));
  return true;
}

}  // namespace

bool read_head(Cursor& cursor, Head& head, Instruction& out) {
  if (!read_prefixes(cursor, out)) return false;
  uint8_t byte = *cursor.at;
  bool extended = byte == 0xc4 || byte == 0xc5 || byte == 0x62;
  if (!extended) return read_legacy(cursor, head, out);
  bool contradicted = out.rex != 0 || out.prefix_66 || out.prefix_f2 || out.prefix_f3 || out.prefix_lock;
  if (contradicted) return false;
  return byte == 0x62 ? read_evex(cursor, head, out) : read_vex(cursor, head, out);
}

}  // namespace hm::soft::direct
