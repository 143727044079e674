// SPDX-License-Identifier: MIT
// The decoder's table, which generate/ writes when hardmeter is built. It contains the properties of opcodes,
// the validity of their encodings, and the mapping from an opcode to its row.
//
//   kDirectory[slot of the opcode] -> a block of 16 variants (prefixes, W, vector length) -> an entry list.
//   The list's first word describes how ModRM selects one of the row numbers that follow.
#pragma once

#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {

struct AccessRow {
  uint16_t bytes;
  uint8_t below;  // for an implicit address: distance in bytes below its register
  uint8_t count;
  AccessKind kind;
  uint8_t base;  // for an implicit address: a register, kNoRegister, or kBaseInReg
  uint8_t index_bytes;
  uint8_t element_bytes;
  bool loads : 1;
  bool stores : 1;
  bool locked : 1;  // even without a lock prefix
  bool masked : 1;  // even without a mask register
  bool broadcast : 1;
  bool by_modrm : 1;   // ModRM names the address
  bool segmented : 1;  // a segment prefix applies
  bool on_stack : 1;   // prefix 67 does not apply
};

inline constexpr uint8_t kBaseInReg = 0xfe;

// Use of a field's general register.
struct FieldRow {
  bool general : 1;
  bool read : 1;
  bool written : 1;
  bool byte : 1;  // an 8-bit register: without REX, 4 to 7 are ah to bh
};

inline constexpr unsigned kRowFields = 4;  // kReg, kRm, kVvvv, kOpcode

enum Difference : uint8_t {
  kRegFromVvvv = 1,
  kRegFromRm = 2,
  kVvvvFromRm = 4,
  kRegFromIndex = 8,
  kVvvvFromIndex = 16,
};

// Row 0 stands for "no instruction": it allows no extension.
struct Row {
  AccessRow accesses[kMaxAccesses];
  uint16_t fixed_read;
  uint16_t fixed_written;
  uint16_t flags_read;
  uint16_t flags_written;
  FieldRow fields[kRowFields];
  uint8_t access_count;
  Flow flow;
  StringOperation string_operation;
  Repeat repeat;
  uint8_t immediate_bytes;
  uint8_t displacement_shift;  // EVEX: a one-byte displacement counts units of 1 << this value
  uint8_t count_mask;          // mask for the immediate count of a shift; 0: no count
  uint8_t vvvv_end;            // vvvv may be 0 to this value, exclusive; 1: vvvv is unused
  uint8_t reg_extensions : 4;  // bit n: R'R = n is valid
  uint8_t rm_extensions : 4;   // bit n: XB = n is valid if rm is a register
  uint8_t mask_forms : 4;      // bit n: the value n of Head::mask_form is valid
  bool sign_extends : 1;       // the immediate is sign-extended
  bool relative : 1;           // the immediate is the offset of a branch
  bool vector_state : 1;
  bool always_register : 1;  // rm is a register whatever mod is
  bool takes_lock : 1;
  bool takes_rip : 1;  // rip-relative addresses are valid
  bool needs_sib : 1;
  bool vector_index : 1;        // SIB.index names a vector register
  bool rare_fields : 1;         // vvvv or the opcode names a general register
  bool byte_fields : 1;         // a field names an 8-bit register
  uint8_t operation;            // Operation
  uint8_t vectors_read : 3;     // bits 0 to 2: reg, rm (if it is a register) and vvvv name vector registers
  uint8_t vectors_written : 3;  // as vectors_read
  bool cancels : 1;             // the result is 0 if both sources are one register
  uint8_t differences;          // pairs of registers that must differ: bits of Difference
  uint8_t simd : 4;             // SimdClass
  bool only_moves : 1;
};

inline constexpr unsigned kVariants = 16;  // variants in a block

// First slots of each encoding in the directory: maps 0 to 3 for legacy, 1 to 3 for VEX, 1 to 6 by prefix
// (pp) for EVEX.
inline constexpr unsigned kLegacySlots = 0;
inline constexpr unsigned kVexSlots = kLegacySlots + 4 * 256;
inline constexpr unsigned kEvexSlots = kVexSlots + 3 * 256;
inline constexpr unsigned kSlots = kEvexSlots + 6 * 4 * 256;

constexpr unsigned legacy_slot(unsigned map, unsigned opcode) { return kLegacySlots + map * 256 + opcode; }
constexpr unsigned vex_slot(unsigned map, unsigned opcode) { return kVexSlots + (map - 1) * 256 + opcode; }
constexpr unsigned evex_slot(unsigned map, unsigned pp, unsigned opcode) {
  return kEvexSlots + ((map - 1) * 4 + pp) * 256 + opcode;
}

// `repeat`: 0 without F2 or F3, 1 for F3, 2 for F2.
constexpr unsigned legacy_variant(unsigned repeat, unsigned has_66, unsigned w) {
  return repeat << 2 | has_66 << 1 | w;
}
constexpr unsigned vex_variant(unsigned pp, unsigned w, unsigned length) { return pp << 2 | w << 1 | length; }
constexpr unsigned evex_variant(unsigned w, unsigned length, unsigned b) { return w << 3 | length << 1 | b; }

// First word of an entry list. With mod 3, the row is word 1 + register_start + ((ModRM & register_mask) >>
// shift), else word 1 + (reg & memory_mask).
struct Choice {
  uint16_t register_mask : 6;
  uint16_t memory_mask : 3;
  uint16_t register_start : 4;
  uint16_t shift : 2;
  uint16_t has_modrm : 1;
};

extern const uint16_t kDirectory[kSlots];
extern const uint16_t kBlocks[];
extern const uint16_t kEntries[];
extern const Row kRows[];

}  // namespace hm::soft::direct
