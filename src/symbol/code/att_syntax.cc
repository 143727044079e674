// SPDX-License-Identifier: MIT
#include "symbol/code/att_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "symbol/code/att_mnemonic.h"

namespace hm::symbol {
namespace {

std::string register_text(ZydisRegister which) {
  if (which >= ZYDIS_REGISTER_ST0 && which <= ZYDIS_REGISTER_ST7)
    return fmt::format("%st({})", which - ZYDIS_REGISTER_ST0);
  return fmt::format("%{}", ZydisRegisterGetString(which));
}

std::string signed_hex(int64_t value) {
  return value < 0 ? fmt::format("-{:#x}", uint64_t{0} - static_cast<uint64_t>(value))
                   : fmt::format("{:#x}", value);
}

// Returns text such as "-0x8(%rbp,%rax,8)" or "%fs:0x28".
std::string memory_text(const DecodedInstruction& instruction, const ZydisDecodedOperand& operand) {
  const ZydisDecodedOperandMem& memory = operand.mem;
  bool plain_segment = memory.segment != ZYDIS_REGISTER_FS && memory.segment != ZYDIS_REGISTER_GS;
  std::string text = plain_segment ? "" : register_text(memory.segment) + ":";
  bool has_base = memory.base != ZYDIS_REGISTER_NONE, has_index = memory.index != ZYDIS_REGISTER_NONE;
  bool written = instruction.head.raw.disp.size != 0;
  if (!has_base && !has_index) return text + fmt::format("{:#x}", static_cast<uint64_t>(memory.disp.value));
  if (written) text += signed_hex(memory.disp.value);
  text += '(';
  if (has_base) text += register_text(memory.base);
  if (has_index) text += fmt::format(",{},{}", register_text(memory.index), memory.scale);
  return text + ')';
}

uint64_t masked(uint64_t value, unsigned bits) {
  return bits >= 64 || bits == 0 ? value : value & ((uint64_t{1} << bits) - 1);
}

// An immediate that is extended to the operand's size is shown with that size.
std::string number_text(const DecodedInstruction& instruction, const ZydisDecodedOperand& operand) {
  unsigned bits = operand.imm.is_signed ? instruction.head.operand_width : operand.size;
  return fmt::format("${:#x}", masked(operand.imm.value.u, bits));
}

bool jumps_through(const DecodedInstruction& instruction) {
  return instruction.head.mnemonic == ZYDIS_MNEMONIC_CALL || instruction.head.mnemonic == ZYDIS_MNEMONIC_JMP;
}

std::string target_text(const DecodedInstruction& instruction, const ZydisDecodedOperand& operand) {
  ZyanU64 target = 0;
  (void)ZydisCalcAbsoluteAddress(&instruction.head, &operand, instruction.address, &target);
  return fmt::format("{:x}", target);
}

std::string operand_text(const DecodedInstruction& instruction, const ZydisDecodedOperand& operand) {
  std::string star = jumps_through(instruction) ? "*" : "";
  switch (operand.type) {
    case ZYDIS_OPERAND_TYPE_REGISTER:
      // The top of the x87 stack as an implied operand.
      if (operand.reg.value == ZYDIS_REGISTER_ST0 && operand.encoding != ZYDIS_OPERAND_ENCODING_MODRM_RM)
        return "%st";
      return star + register_text(operand.reg.value);
    case ZYDIS_OPERAND_TYPE_MEMORY:
      return star + memory_text(instruction, operand);
    case ZYDIS_OPERAND_TYPE_IMMEDIATE:
      return operand.imm.is_relative ? target_text(instruction, operand) : number_text(instruction, operand);
    default:
      return "?";
  }
}

// Returns the broadcast of a memory operand, for example "{1to8}"; empty if there is none.
std::string broadcast_text(const DecodedInstruction& instruction) {
  if (instruction.head.avx.broadcast.is_static) return {};
  switch (instruction.head.avx.broadcast.mode) {
    case ZYDIS_BROADCAST_MODE_1_TO_2:
      return "{1to2}";
    case ZYDIS_BROADCAST_MODE_1_TO_4:
      return "{1to4}";
    case ZYDIS_BROADCAST_MODE_1_TO_8:
      return "{1to8}";
    case ZYDIS_BROADCAST_MODE_1_TO_16:
      return "{1to16}";
    default:
      return {};
  }
}

// Returns the mask registers, zeroing and broadcasts of AVX-512.
std::string decoration(const DecodedInstruction& instruction, const ZydisDecodedOperand& operand) {
  const ZydisDecodedInstructionAvx& avx = instruction.head.avx;
  std::string text = operand.type == ZYDIS_OPERAND_TYPE_MEMORY ? broadcast_text(instruction) : "";
  bool is_result = &operand == &instruction.operands[0];
  bool masks = avx.mask.reg != ZYDIS_REGISTER_NONE && avx.mask.reg != ZYDIS_REGISTER_K0;
  if (!is_result || !masks) return text;
  text += fmt::format("{{{}}}", register_text(avx.mask.reg));
  bool is_mask = operand.reg.value >= ZYDIS_REGISTER_K0 && operand.reg.value <= ZYDIS_REGISTER_K7;
  return avx.mask.mode == ZYDIS_MASK_MODE_ZEROING && !is_mask ? text + "{z}" : text;
}

// Returns the operands of a string instruction, which objdump shows although they are implied.
std::string string_operands(const DecodedInstruction& instruction) {
  std::string_view name = ZydisMnemonicGetString(instruction.head.mnemonic);
  bool has_long_addresses = instruction.head.address_width == 64;
  std::string_view from = has_long_addresses ? "%ds:(%rsi)" : "%ds:(%esi)";
  std::string_view to = has_long_addresses ? "%es:(%rdi)" : "%es:(%edi)";
  std::string_view accumulator = instruction.head.operand_width == 8    ? "%al"
                                 : instruction.head.operand_width == 16 ? "%ax"
                                 : instruction.head.operand_width == 32 ? "%eax"
                                                                        : "%rax";
  if (name.starts_with("movs")) return fmt::format("{},{}", from, to);
  if (name.starts_with("cmps")) return fmt::format("{},{}", to, from);
  if (name.starts_with("stos")) return fmt::format("{},{}", accumulator, to);
  if (name.starts_with("lods")) return fmt::format("{},{}", from, accumulator);
  return fmt::format("{},{}", to, accumulator);
}

// Returns true for the count of a shift by one, which has its own opcode, and for masks, which are shown with
// the result.
bool is_left_out(const DecodedInstruction& instruction, const ZydisDecodedOperand& operand) {
  if (operand.encoding == ZYDIS_OPERAND_ENCODING_MASK) return true;
  if (operand.type != ZYDIS_OPERAND_TYPE_IMMEDIATE) return false;
  bool last = &operand == &instruction.operands[instruction.head.operand_count_visible - 1];
  return operand.visibility == ZYDIS_OPERAND_VISIBILITY_IMPLICIT || (last && names_predicate(instruction));
}

// Returns the operands in reverse order, except for `enter`.
std::string operands_text(const DecodedInstruction& instruction) {
  if (is_string_operation(instruction)) return string_operands(instruction);
  std::vector<std::string> texts;
  bool is_nop = instruction.head.mnemonic == ZYDIS_MNEMONIC_NOP;  // objdump shows one of the two operands
  unsigned count = is_nop ? std::min<unsigned>(1, instruction.head.operand_count_visible)
                          : instruction.head.operand_count_visible;
  for (unsigned i = 0; i < count; ++i) {
    const ZydisDecodedOperand& operand = instruction.operands[i];
    if (is_left_out(instruction, operand)) continue;
    texts.push_back(operand_text(instruction, operand) + decoration(instruction, operand));
  }
  bool in_order = instruction.head.mnemonic == ZYDIS_MNEMONIC_ENTER;
  std::string text;
  for (size_t i = 0; i < texts.size(); ++i)
    text += (i == 0 ? "" : ",") + texts[in_order ? i : texts.size() - 1 - i];
  return text;
}

}  // namespace

std::string att_text(const DecodedInstruction& instruction) {
  std::string mnemonic = att_mnemonic(instruction);
  if (mnemonic.find('%') != std::string::npos) return mnemonic;  // the mnemonic includes the operands
  std::string operands = operands_text(instruction);
  return operands.empty() ? mnemonic : fmt::format("{:<6} {}", mnemonic, operands);
}

std::optional<uint64_t> named_address(const DecodedInstruction& instruction) {
  for (unsigned i = 0; i < instruction.head.operand_count_visible; ++i) {
    const ZydisDecodedOperand& operand = instruction.operands[i];
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.base != ZYDIS_REGISTER_RIP) continue;
    ZyanU64 address = 0;
    if (ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&instruction.head, &operand, instruction.address, &address)))
      return address;
  }
  return std::nullopt;
}

}  // namespace hm::symbol
