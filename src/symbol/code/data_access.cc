// SPDX-License-Identifier: MIT
#include "symbol/code/data_access.h"

#include <asm/perf_regs.h>

#include <algorithm>

#include "symbol/code/decoder.h"

namespace hm::symbol {
namespace {

using Operand = ZydisDecodedOperand;
using Operands = std::span<const ZydisDecodedOperand>;

bool reads(const Operand& operand) { return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0; }
bool writes(const Operand& operand) { return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0; }

bool is_memory(const Operand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type != ZYDIS_MEMOP_TYPE_AGEN &&
         (reads(operand) || writes(operand));
}

// Returns the only operand that is read, or, if none is read, the only one that is written; nullptr if there
// are several.
const Operand* waited_for(Operands operands) {
  auto only = [&](auto&& wanted) -> const Operand* {
    auto matches = [&](const Operand& operand) { return is_memory(operand) && wanted(operand); };
    if (std::ranges::count_if(operands, matches) != 1) return nullptr;
    return &*std::ranges::find_if(operands, matches);
  };
  return std::ranges::any_of(operands, [](const Operand& o) { return is_memory(o) && reads(o); })
             ? only(reads)
             : only(writes);
}

bool overwrites(Operands operands, uint8_t number) {
  return number != kNoRegister && number != PERF_REG_X86_IP &&
         std::ranges::any_of(operands, [number](const Operand& operand) {
           return operand.type == ZYDIS_OPERAND_TYPE_REGISTER && writes(operand) &&
                  register_number(operand.reg.value) == number;
         });
}

bool has_flat_segment(const Operand& operand) {
  return operand.mem.segment != ZYDIS_REGISTER_FS && operand.mem.segment != ZYDIS_REGISTER_GS;
}

// Returns true if the address also depends on a register outside the operand: a bit number, or %al.
bool has_hidden_index(const ZydisDecodedInstruction& instruction, Operands operands) {
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_BT:
    case ZYDIS_MNEMONIC_BTC:
    case ZYDIS_MNEMONIC_BTR:
    case ZYDIS_MNEMONIC_BTS:
      return operands.size() > 1 && operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER;
    case ZYDIS_MNEMONIC_XLAT:
      return true;
    default:
      return false;
  }
}

// Returns true for no register, and for registers that symbol/unwind/registers.h numbers.
bool is_numbered(ZydisRegister part) {
  return part == ZYDIS_REGISTER_NONE || register_number(part) != kNoRegister;
}

void take_access(const ZydisDecodedInstruction& instruction, const Operand& operand, DataAccess& access) {
  access.reads = reads(operand);
  access.writes = writes(operand);
  access.width_bytes = static_cast<uint16_t>(operand.size / 8);
  access.base = register_number(operand.mem.base);
  access.index = register_number(operand.mem.index);
  access.scale = operand.mem.scale;
  access.displacement = operand.mem.disp.has_displacement ? operand.mem.disp.value : 0;
  access.address_bits = instruction.address_width;
}

enum class StackUse { kNone, kPush, kPop, kLeave };

StackUse stack_use(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_PUSH:
    case ZYDIS_MNEMONIC_PUSHFQ:
    case ZYDIS_MNEMONIC_PUSHF:
      return StackUse::kPush;
    case ZYDIS_MNEMONIC_POP:
    case ZYDIS_MNEMONIC_POPFQ:
    case ZYDIS_MNEMONIC_POPF:
      return StackUse::kPop;
    case ZYDIS_MNEMONIC_LEAVE:
      return StackUse::kLeave;
    default:
      return StackUse::kNone;
  }
}

bool writes_stack_pointer(Operands operands) {
  return std::ranges::any_of(operands, [](const Operand& operand) {
    return operand.type == ZYDIS_OPERAND_TYPE_REGISTER &&
           operand.visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT && writes(operand) &&
           register_number(operand.reg.value) == PERF_REG_X86_SP;
  });
}

// After a push, the stack pointer is the address of the written word. After a pop or leave, the word that was
// read is just below it.
bool derive_stack_access(StackUse use, const Operand& operand, Operands operands, DataAccess& access) {
  if (operand.visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT) {  // `push D(%rsp)`: read before the push
    if (access.base == PERF_REG_X86_SP) {
      if (use != StackUse::kPush) return false;
      access.displacement += access.width_bytes;
    }
    return true;
  }
  access.base = PERF_REG_X86_SP;
  access.index = kNoRegister;
  access.displacement = use == StackUse::kPush ? 0 : -int64_t{access.width_bytes};
  return use == StackUse::kPush || !writes_stack_pointer(operands);
}

// Returns true for a string instruction without a prefix, which advances its pointer by one element.
bool is_string_step(const ZydisDecodedInstruction& instruction, const DataAccess& access) {
  constexpr ZydisInstructionAttributes kRepeats =
      ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
  bool pointer = access.base == PERF_REG_X86_SI || access.base == PERF_REG_X86_DI;
  return instruction.meta.category == ZYDIS_CATEGORY_STRINGOP && pointer && instruction.address_width == 64 &&
         (instruction.attributes & kRepeats) == 0;
}

bool has_one_plain_address(const ZydisDecodedInstruction& instruction, const Operand& operand,
                           Operands operands) {
  return operand.mem.type == ZYDIS_MEMOP_TYPE_MEM && has_flat_segment(operand) &&
         is_numbered(operand.mem.base) && is_numbered(operand.mem.index) &&
         !has_hidden_index(instruction, operands);
}

// A push and a call write below the stack pointer. `pop D(%rsp)` computes its address after it has moved the
// stack pointer.
bool derive_access_before(const ZydisDecodedInstruction& instruction, const Operand& operand,
                          DataAccess& access) {
  if (access.base == PERF_REG_X86_SP) {
    bool is_explicit = operand.visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT;
    if (!is_explicit) access.displacement = access.writes ? -int64_t{access.width_bytes} : 0;
    if (is_explicit && stack_use(instruction.mnemonic) == StackUse::kPop)
      access.displacement += access.width_bytes;
  }
  return instruction.mnemonic != ZYDIS_MNEMONIC_ENTER;
}

bool derive_access_after(const ZydisDecodedInstruction& instruction, const Operand& operand,
                         Operands operands, DataAccess& access) {
  if (StackUse use = stack_use(instruction.mnemonic); use != StackUse::kNone)
    return derive_stack_access(use, operand, operands, access);
  if (is_string_step(instruction, access)) {
    access.string_step_bytes = static_cast<int8_t>(access.width_bytes);
    return true;
  }
  return !overwrites(operands, access.base) && !overwrites(operands, access.index);
}

}  // namespace

DataAccess decode_data_access(Decoder& decoder, Bytes code, RegistersAt when) {
  DataAccess access;
  if (!decoder.decode(code) || decoder.instruction().mnemonic == ZYDIS_MNEMONIC_NOP) return access;
  Operands operands = decoder.operands();
  if (const Operand* operand = waited_for(operands)) {
    const ZydisDecodedInstruction& instruction = decoder.instruction();
    take_access(instruction, *operand, access);
    access.has_address =
        has_one_plain_address(instruction, *operand, operands) &&
        (when == RegistersAt::kBefore ? derive_access_before(instruction, *operand, access)
                                      : derive_access_after(instruction, *operand, operands, access));
  } else {
    access.reads = std::ranges::any_of(operands, [](const Operand& o) { return is_memory(o) && reads(o); });
    access.writes = std::ranges::any_of(operands, [](const Operand& o) { return is_memory(o) && writes(o); });
  }
  return access;
}

std::optional<uint64_t> address_of(const DataAccess& access, const RegisterValues& registers) {
  if (!access.has_address) return std::nullopt;
  auto address = static_cast<uint64_t>(access.displacement);
  if (access.base != kNoRegister) {
    std::optional<uint64_t> base = registers.at(access.base);
    if (!base) return std::nullopt;
    address += *base;
  }
  if (access.index != kNoRegister) {
    std::optional<uint64_t> index = registers.at(access.index);
    if (!index) return std::nullopt;
    address += *index * access.scale;
  }
  if (access.string_step_bytes != 0) {
    std::optional<uint64_t> flags = registers.at(PERF_REG_X86_FLAGS);
    if (!flags) return std::nullopt;
    auto step = static_cast<uint64_t>(int64_t{access.string_step_bytes});
    address += (*flags & ZYDIS_CPUFLAG_DF) != 0 ? step : 0 - step;
  }
  return access.address_bits == 32 ? address & UINT32_MAX : address;
}

}  // namespace hm::symbol
