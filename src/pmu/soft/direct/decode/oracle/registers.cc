// SPDX-License-Identifier: MIT
// Determines the general registers that are read and written, and the fields that name them.
#include <optional>

#include "pmu/soft/direct/decode/oracle/oracle.h"

namespace hm::soft::direct {
namespace {

struct Use {
  bool read;
  bool written;
};

uint16_t bit(uint8_t number) { return static_cast<uint16_t>(1u << number); }

std::optional<Field> field_of(ZydisOperandEncoding encoding) {
  switch (encoding) {
    case ZYDIS_OPERAND_ENCODING_MODRM_REG:
      return Field::kReg;
    case ZYDIS_OPERAND_ENCODING_MODRM_RM:
      return Field::kRm;
    case ZYDIS_OPERAND_ENCODING_NDSNDD:
      return Field::kVvvv;
    case ZYDIS_OPERAND_ENCODING_OPCODE:
      return Field::kOpcode;
    default:
      return std::nullopt;
  }
}

// Returns true if the register is written conditionally or in part, which Zydis does not report. sldt, str
// and smsw: if the processor denies them to user mode (UMIP), Linux emulates them and writes 16 bits.
bool may_keep(const ZydisDecodedInstruction& instruction) {
  return is_one_of(instruction,
                   {ZYDIS_MNEMONIC_BSF, ZYDIS_MNEMONIC_BSR, ZYDIS_MNEMONIC_RDSSPD, ZYDIS_MNEMONIC_RDSSPQ,
                    ZYDIS_MNEMONIC_SLDT, ZYDIS_MNEMONIC_STR, ZYDIS_MNEMONIC_SMSW});
}

Use use_of(const ZydisDecodedOperand& operand, const ZydisDecodedInstruction& instruction) {
  bool written = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  bool kept =
      operand.size < 32 || (operand.actions & ZYDIS_OPERAND_ACTION_CONDWRITE) != 0 || may_keep(instruction);
  return {(operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0 || (written && kept), written};
}

void add_field(Described& out, Field field, uint8_t number, Use use) {
  RegisterField& entry = out.instruction.fields[static_cast<unsigned>(field)];
  entry.number = number;
  entry.read |= use.read;
  entry.written |= use.written;
}

void add_fixed(Described& out, uint8_t number, Use use) {
  if (use.read) out.fixed_read |= bit(number);
  if (use.written) out.fixed_written |= bit(number);
}

void add_register(const ZydisView& view, const ZydisDecodedOperand& operand, Described& out) {
  uint8_t number = general_register(operand.reg.value);
  if (number == kNoRegister) return;
  Use use = use_of(operand, view.instruction);
  auto field = field_of(operand.encoding);
  if (!field) return add_fixed(out, number, use);
  add_field(out, *field, number, use);
  out.byte_register[static_cast<unsigned>(*field)] = operand.size == 8;
  bool high = operand.reg.value >= ZYDIS_REGISTER_AH && operand.reg.value <= ZYDIS_REGISTER_BH;
  out.instruction.names_high_byte |= high;
}

// Adds the registers of an address: as fields if ModRM names them, otherwise as fixed registers.
void add_address(const ZydisDecodedOperand& operand, Described& out) {
  uint8_t base = general_register(operand.mem.base);
  uint8_t index = general_register(operand.mem.index);
  bool explicit_address = operand.encoding == ZYDIS_OPERAND_ENCODING_MODRM_RM;
  if (!explicit_address) {
    bool named = base == out.instruction.field(Field::kReg).number;  // movdir64b, enqcmd
    if (base != kNoRegister && !named) add_fixed(out, base, {true, false});
    return;
  }
  out.vector_index = operand.mem.type == ZYDIS_MEMOP_TYPE_VSIB;
  if (base != kNoRegister) add_field(out, Field::kBase, base, {true, false});
  if (index != kNoRegister) add_field(out, Field::kIndex, index, {true, false});
}

void add_string_registers(Described& out) {
  constexpr uint8_t kRsi = 6;
  constexpr uint8_t kRdi = 7;
  StringOperation operation = out.instruction.string_operation;
  if (operation == StringOperation::kNone) return;
  bool source = operation != StringOperation::kStos && operation != StringOperation::kScas;
  bool destination = operation != StringOperation::kLods;
  if (source) add_fixed(out, kRsi, {true, true});
  if (destination) add_fixed(out, kRdi, {true, true});
}

}  // namespace

void describe_registers(const ZydisView& view, Described& out) {
  for (const ZydisDecodedOperand& operand : view.all()) {
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) add_register(view, operand, out);
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) add_address(operand, out);
  }
  add_string_registers(out);
  Instruction& instruction = out.instruction;
  instruction.registers_read = out.fixed_read;
  instruction.registers_written = out.fixed_written;
  instruction.registers_fixed = out.fixed_read | out.fixed_written;
  for (const RegisterField& field : instruction.fields) {
    if (field.read) instruction.registers_read |= bit(field.number);
    if (field.written) instruction.registers_written |= bit(field.number);
  }
}

}  // namespace hm::soft::direct
