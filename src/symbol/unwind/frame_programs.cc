// SPDX-License-Identifier: MIT
#include "symbol/unwind/frame_programs.h"

#include <dwarf.h>

#include <optional>
#include <string_view>
#include <unordered_set>

#include "symbol/files/frame_section.h"
#include "symbol/files/frame_table.h"

namespace hm::symbol {
namespace {

constexpr uint64_t kMaxRegisters =
    1024;  // x86-64 has some 130 (System V ABI, "DWARF Register Number Mapping")
constexpr unsigned kMaxRemembered = 256;  // maximum nesting of remembered states; compilers use one

// Returns the operands of an opcode: a register, a number (u), a block, or a number of bytes (DWARF 5,
// section 7.24; GNU's from 0x2d on). Returns nullopt for opcodes that are not used on x86-64.
std::optional<std::string_view> operands_of(uint8_t opcode) {
  if ((opcode & 0xc0) != 0) return (opcode & 0xc0) == DW_CFA_offset ? "u" : "";
  switch (opcode) {
    case DW_CFA_nop:
    case DW_CFA_remember_state:
    case DW_CFA_restore_state:
      return "";
    case DW_CFA_advance_loc1:
      return "1";
    case DW_CFA_advance_loc2:
      return "2";
    case DW_CFA_advance_loc4:
      return "4";
    case DW_CFA_restore_extended:
    case DW_CFA_undefined:
    case DW_CFA_same_value:
      return "r";
    case DW_CFA_offset_extended:
    case DW_CFA_offset_extended_sf:
    case DW_CFA_register:
    case DW_CFA_val_offset:
    case DW_CFA_val_offset_sf:
    case DW_CFA_GNU_negative_offset_extended:
      return "ru";
    case DW_CFA_def_cfa:
    case DW_CFA_def_cfa_sf:
      return "uu";
    case DW_CFA_def_cfa_register:
    case DW_CFA_def_cfa_offset:
    case DW_CFA_def_cfa_offset_sf:
    case DW_CFA_GNU_args_size:
      return "u";
    case DW_CFA_def_cfa_expression:
      return "b";
    case DW_CFA_expression:
    case DW_CFA_val_expression:
      return "rb";
    default:
      return std::nullopt;
  }
}

bool read_operand(char kind, ByteReader& in) {
  if (kind == 'r') return read_leb(in) < kMaxRegisters;
  if (kind == 'u')
    (void)read_leb(in);
  else
    in.skip(kind == 'b' ? read_leb(in) : static_cast<size_t>(kind - '0'));
  return true;
}

bool is_modest(Bytes program) {
  ByteReader in(program);
  unsigned remembered = 0;
  while (in.remaining() > 0) {
    uint8_t opcode = in.u8();
    std::optional<std::string_view> operands = operands_of(opcode);
    if (opcode == DW_CFA_remember_state) ++remembered;
    if (opcode == DW_CFA_restore_state && remembered > 0) --remembered;
    if (!operands || remembered > kMaxRemembered) return false;
    for (char kind : *operands) {
      if (!read_operand(kind, in)) return false;
    }
    if (!in.ok()) return false;
  }
  return true;
}

}  // namespace

bool modest_eh_frame(const ElfModule& module) {
  std::optional<FrameSection> section = FrameSection::find(module.elf(), ".eh_frame");
  std::unordered_set<uint64_t> descriptions;
  bool modest = section && section->for_each([&](const FrameEntry& entry) {
    if (entry.is_description) descriptions.insert(entry.offset);
    return is_modest(entry.program);
  });
  if (!modest) return false;
  std::optional<FrameTable> table = FrameTable::of(module);
  if (!table) return true;
  if (table->size() == 0 || table->descriptions() != section->address()) return false;
  for (uint64_t i = 0; i < table->size(); ++i) {
    if (!descriptions.contains(table->at(i).description - section->address())) return false;
  }
  return true;
}

bool modest_debug_frame(Elf* elf) {
  std::optional<FrameSection> section = FrameSection::find(elf, ".debug_frame");
  return section && section->for_each([](const FrameEntry& entry) { return is_modest(entry.program); });
}

}  // namespace hm::symbol
