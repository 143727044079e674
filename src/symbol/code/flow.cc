// SPDX-License-Identifier: MIT
#include "symbol/code/flow.h"

#include "symbol/code/decoder.h"

namespace hm::symbol {
namespace {

bool restarts(const ZydisDecodedInstruction& instruction) {
  constexpr ZydisInstructionAttributes kRepeated =
      ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
  bool gather = instruction.meta.category == ZYDIS_CATEGORY_GATHER ||
                instruction.meta.category == ZYDIS_CATEGORY_SCATTER ||
                instruction.meta.category == ZYDIS_CATEGORY_AVX2GATHER;
  return gather || (instruction.attributes & kRepeated) != 0;
}

// Opcodes 70 to 7f, and 0f 80 to 0f 8f; the other conditional jumps test rcx.
uint8_t condition_of(const ZydisDecodedInstruction& instruction) {
  bool near = instruction.opcode_map == ZYDIS_OPCODE_MAP_0F && (instruction.opcode & 0xf0) == 0x80;
  bool brief = instruction.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && (instruction.opcode & 0xf0) == 0x70;
  return near || brief ? instruction.opcode & 0xf : kNoCondition;
}

Flow flow_of(const ZydisDecodedInstruction& instruction) {
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_HLT:
    case ZYDIS_MNEMONIC_INT3:
      return Flow::kEnd;
    case ZYDIS_MNEMONIC_XBEGIN:
      return Flow::kBranch;
    default:
      break;
  }
  switch (instruction.meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
      return Flow::kBranch;
    case ZYDIS_CATEGORY_UNCOND_BR:
      return Flow::kJump;
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_INTERRUPT:
      return Flow::kAway;
    case ZYDIS_CATEGORY_RET:
    case ZYDIS_CATEGORY_SYSRET:
      return Flow::kEnd;
    default:
      return Flow::kNext;
  }
}

std::optional<uint64_t> relative_target(const ZydisDecodedInstruction& instruction, uint64_t address) {
  const auto& immediate = instruction.raw.imm[0];
  if (!immediate.is_relative) return std::nullopt;
  return address + instruction.length + static_cast<uint64_t>(immediate.value.s);
}

// Handles a jump without a displacement.
void take_indirect(std::span<const ZydisDecodedOperand> operands, FlowInstruction& result) {
  result.flow = Flow::kMemoryJump;
  if (operands.empty() || operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER) return;
  result.flow = Flow::kRegisterJump;
  result.jump_register = register_number(operands[0].reg.value);
}

// Returns the address that `lea D(%rip),%REG` computes: it has no immediate, only the displacement.
std::optional<uint64_t> taken_code(const ZydisDecodedInstruction& instruction, uint64_t address) {
  bool relative = (instruction.attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0;
  if (instruction.mnemonic != ZYDIS_MNEMONIC_LEA || !relative) return std::nullopt;
  return address + instruction.length + static_cast<uint64_t>(instruction.raw.disp.value);
}

}  // namespace

std::optional<FlowInstruction> decode_flow(Decoder& decoder, Bytes code, uint64_t address) {
  if (!decoder.decode(code)) return std::nullopt;
  const ZydisDecodedInstruction& instruction = decoder.instruction();
  FlowInstruction result;
  result.length = instruction.length;
  result.flow = flow_of(instruction);
  result.restarts = restarts(instruction);
  result.taken_code = taken_code(instruction, address);
  if (result.flow == Flow::kBranch || result.flow == Flow::kJump) {
    result.target = relative_target(instruction, address);
  }
  if (result.flow == Flow::kBranch) result.condition = condition_of(instruction);
  if (result.flow == Flow::kJump && !result.target) take_indirect(decoder.operands(), result);
  return result;
}

bool condition_holds(uint8_t condition, uint64_t flags) {
  bool carry = (flags & ZYDIS_CPUFLAG_CF) != 0;
  bool parity = (flags & ZYDIS_CPUFLAG_PF) != 0;
  bool zero = (flags & ZYDIS_CPUFLAG_ZF) != 0;
  bool sign = (flags & ZYDIS_CPUFLAG_SF) != 0;
  bool overflow = (flags & ZYDIS_CPUFLAG_OF) != 0;
  const std::array<bool, 8> tests = {
      overflow, carry, zero, carry || zero, sign, parity, sign != overflow, zero || sign != overflow};
  bool negated = (condition & 1) != 0;
  return tests[condition >> 1 & 7] != negated;
}

}  // namespace hm::symbol
