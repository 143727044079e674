// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/decode/head.h"

#include "pmu/soft/direct/decode/row.h"

namespace hm::soft::direct {
namespace {

// Returns the inverse of bit `at` of a byte.
constexpr unsigned inverted(unsigned byte, unsigned at) { return (~byte >> at) & 1; }

void take_prefix(uint8_t byte, Instruction& out) {
  switch (byte) {
    case 0x64:
      out.segment = Segment::kFs;
      break;
    case 0x65:
      out.segment = Segment::kGs;
      break;
    case 0x66:
      out.prefix_66 = true;
      break;
    case 0x67:
      out.prefix_67 = true;
      break;
    case 0xf0:
      out.prefix_lock = true;
      break;
    case 0xf2:
    case 0xf3:
      out.prefix_f2 = byte == 0xf2;
      out.prefix_f3 = byte == 0xf3;
      break;
    default:
      break;  // the other segment prefixes have no effect
  }
}

// Set of the bytes that are legacy or REX prefixes, one bit each.
struct PrefixBytes {
  uint64_t words[4] = {};
  constexpr void add(uint8_t byte) { words[byte / 64] |= uint64_t{1} << byte % 64; }
  [[nodiscard]] constexpr bool has(uint8_t byte) const { return (words[byte / 64] >> byte % 64 & 1) != 0; }
};

constexpr uint8_t kLegacyPrefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3};

constexpr PrefixBytes prefix_bytes() {
  PrefixBytes bytes;
  for (uint8_t byte : kLegacyPrefixes) bytes.add(byte);
  for (uint8_t byte = 0x40; byte < 0x50; ++byte) bytes.add(byte);
  return bytes;
}
constexpr PrefixBytes kPrefixBytes = prefix_bytes();

// Reads legacy and REX prefixes. A REX counts only right before the opcode. Few instructions have other
// prefixes, so the check for none comes first.
bool read_prefixes(Cursor& cursor, Instruction& out) {
  while (cursor.has(1)) {
    uint8_t byte = *cursor.at;
    bool is_rex = byte >> 4 == 4;
    unsigned if_rex = is_rex ? 0xff : 0;
    out.rex = static_cast<uint8_t>(byte & if_rex);
    out.prefix_offset = static_cast<uint8_t>(cursor.offset() & if_rex);
    cursor.at += is_rex;
    if (!cursor.has(1)) return false;
    if (!kPrefixBytes.has(*cursor.at)) return true;
    if (!is_rex) take_prefix(*cursor.at++, out);
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
  unsigned rex = out.rex;
  head.r = rex >> 2 & 1;
  head.x = rex >> 1 & 1;
  head.b = rex & 1;
  unsigned opcode = out.opcode;
  // 90 is a no-operation, or pause with F3, only if it names rax.
  if (opcode == 0x90 && out.map == 0 && head.b != 0) opcode = 0x91;
  unsigned repeat = out.prefix_f2 ? 2u : out.prefix_f3;
  head.slot = legacy_slot(out.map, opcode);
  head.variant = legacy_variant(repeat, out.prefix_66, rex >> 3 & 1);
  return true;
}

bool read_vex(Cursor& cursor, Head& head, Instruction& out) {
  bool has_three_bytes = *cursor.at == 0xc4;
  if (!cursor.has(has_three_bytes ? 3 : 2)) return false;
  unsigned first = cursor.at[1];
  unsigned last = has_three_bytes ? unsigned{cursor.at[2]} : first;
  head.r = inverted(first, 7);
  out.map = 1;
  unsigned w = 0;
  if (has_three_bytes) {
    head.x = inverted(first, 6);
    head.b = inverted(first, 5);
    out.map = static_cast<uint8_t>(first & 0x1f);
    w = last >> 7;
  }
  if (out.map < 1 || out.map > 3) return false;
  head.vvvv = (~last >> 3) & 0xf;
  out.encoding = Encoding::kVex;
  out.prefix_offset = cursor.offset();
  cursor.at += has_three_bytes ? 3 : 2;
  if (!read_opcode(cursor, out)) return false;
  head.slot = vex_slot(out.map, out.opcode);
  head.variant = vex_variant(last & 3, w, (last >> 2) & 1);
  return true;
}

bool read_evex(Cursor& cursor, Head& head, Instruction& out) {
  if (!cursor.has(4)) return false;
  unsigned p0 = cursor.at[1];
  unsigned p1 = cursor.at[2];
  unsigned p2 = cursor.at[3];
  bool fixed_bits = (p0 & 8) == 0 && (p1 & 4) != 0;
  out.map = static_cast<uint8_t>(p0 & 7);
  if (!fixed_bits || out.map < 1 || out.map > 6) return false;
  head.r = inverted(p0, 7);
  head.x = inverted(p0, 6);
  head.b = inverted(p0, 5);
  head.r2 = inverted(p0, 4);
  head.vvvv = inverted(p2, 3) << 4 | ((~p1 >> 3) & 0xf);
  head.mask_form = (p2 >> 7) << 1 | ((p2 & 7) != 0 ? 1u : 0u);
  out.encoding = Encoding::kEvex;
  out.prefix_offset = cursor.offset();
  cursor.at += 4;
  if (!read_opcode(cursor, out)) return false;
  head.slot = evex_slot(out.map, p1 & 3, out.opcode);
  head.variant = evex_variant(p1 >> 7, (p2 >> 5) & 3, (p2 >> 4) & 1);
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
