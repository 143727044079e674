// SPDX-License-Identifier: MIT
#include "symbol/code/steps.h"

#include <asm/perf_regs.h>

#include <span>

#include "symbol/code/flow.h"

namespace hm::symbol {
namespace {

using Operand = ZydisDecodedOperand;

// Registers that a called function may change: System V ABI, section 3.2.1.
constexpr uint32_t kOfCalls = bit_of(PERF_REG_X86_AX) | bit_of(PERF_REG_X86_CX) | bit_of(PERF_REG_X86_DX) |
                              bit_of(PERF_REG_X86_SI) | bit_of(PERF_REG_X86_DI) | bit_of(PERF_REG_X86_R8) |
                              bit_of(PERF_REG_X86_R9) | bit_of(PERF_REG_X86_R10) | bit_of(PERF_REG_X86_R11);

bool is_copy(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_MOVZX:
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
    case ZYDIS_MNEMONIC_CDQE:
      return true;
    default:
      return false;
  }
}

bool is_sum(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_DEC:
    case ZYDIS_MNEMONIC_LEA:
      return true;
    default:
      return false;
  }
}

bool is_read(const Operand& operand) { return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0; }
bool is_written(const Operand& operand) { return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0; }

void take_memory(const Operand& operand, Step& step) {
  uint8_t base = register_number(operand.mem.base), index = register_number(operand.mem.index);
  uint32_t inputs = bit_of(base) | bit_of(index);
  if (operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN) {
    step.reads |= inputs;
    return;
  }
  step.loads = step.loads || is_read(operand);
  // Skips the implied stack accesses of push, pop and call.
  if (operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && base == PERF_REG_X86_SP) return;
  step.stores = step.stores || is_written(operand);
  step.address_inputs |= inputs;
  step.displacement = operand.mem.disp.has_displacement ? operand.mem.disp.value : 0;
  step.bytes = static_cast<uint16_t>(operand.size / 8);
  step.scale = operand.mem.scale;
  step.base = base;
  step.index = index;
}

void take_operand(const Operand& operand, Step& step) {
  if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) return take_memory(operand, step);
  if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) return;
  uint32_t bit = bit_of(register_number(operand.reg.value));
  if (is_read(operand)) step.reads |= bit;
  if (is_written(operand)) step.writes |= bit;
}

// The pointers of a string instruction advance by the accessed bytes, independent of the loaded data; `lods`
// rarely loads a pointer.
void take_string_instruction(const ZydisDecodedInstruction& instruction, Step& step) {
  constexpr ZyanU64 kRepeats = ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
  if (instruction.meta.category != ZYDIS_CATEGORY_STRINGOP) return;
  step.loads = false;
  step.adds = true;
  step.repeats = (instruction.attributes & kRepeats) != 0;
}

// Returns true for `xor %eax,%eax`, which depends on no input.
bool clears(const ZydisDecodedInstruction& instruction, std::span<const Operand> operands) {
  return (instruction.mnemonic == ZYDIS_MNEMONIC_XOR || instruction.mnemonic == ZYDIS_MNEMONIC_SUB) &&
         operands.size() >= 2 && operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
         operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER && operands[0].reg.value == operands[1].reg.value;
}

// Returns the constant that the instruction adds to its first operand if it has no other effect on it.
std::optional<int64_t> constant_added(const ZydisDecodedInstruction& instruction,
                                      std::span<const Operand> operands) {
  if (operands.empty()) return std::nullopt;
  bool has_number = operands.size() > 1 && operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_INC:
      return 1;
    case ZYDIS_MNEMONIC_DEC:
      return -1;
    case ZYDIS_MNEMONIC_ADD:
      return has_number ? std::optional(operands[1].imm.value.s) : std::nullopt;
    case ZYDIS_MNEMONIC_SUB:
      return has_number ? std::optional(-operands[1].imm.value.s) : std::nullopt;
    case ZYDIS_MNEMONIC_LEA: {
      const auto& from = operands[1].mem;
      bool own = register_number(from.base) == register_number(operands[0].reg.value) &&
                 from.index == ZYDIS_REGISTER_NONE;
      return own ? std::optional(from.disp.has_displacement ? from.disp.value : 0) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

bool makes_frame(const ZydisDecodedInstruction& instruction, std::span<const Operand> operands) {
  return instruction.mnemonic == ZYDIS_MNEMONIC_MOV && operands.size() >= 2 &&
         operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER && operands[0].reg.value == ZYDIS_REGISTER_RBP &&
         operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER && operands[1].reg.value == ZYDIS_REGISTER_RSP;
}

Step step_of(Decoder& decoder, uint64_t address) {
  Step step{.address = address};
  const ZydisDecodedInstruction& instruction = decoder.instruction();
  std::span<const Operand> operands = decoder.operands();
  for (const Operand& operand : operands) take_operand(operand, step);
  step.copies = is_copy(instruction.mnemonic);
  step.adds = is_sum(instruction.mnemonic);
  step.adds_constant = constant_added(instruction, operands);
  step.makes_frame = makes_frame(instruction, operands);
  take_string_instruction(instruction, step);
  if (clears(instruction, operands)) step.reads = 0;
  constexpr uint32_t kNever = bit_of(PERF_REG_X86_IP) | bit_of(PERF_REG_X86_SP);
  step.reads &= ~kNever;
  step.writes &= ~kNever;
  step.address_inputs &= ~kNever;
  return step;
}

}  // namespace

std::vector<Step> steps_of(Bytes code, uint64_t start) {
  constexpr size_t kMaxSteps = 100000;
  std::vector<Step> steps;
  Decoder decoder;
  for (size_t offset = 0; offset < code.size() && steps.size() < kMaxSteps;) {
    Bytes rest = code.subspan(offset);
    if (!decoder.decode(rest)) break;
    size_t length = decoder.instruction().length;
    Step step = step_of(decoder, start + offset);
    std::optional<FlowInstruction> flow = decode_flow(decoder, rest, start + offset);
    if (flow && (flow->flow == Flow::kBranch || flow->flow == Flow::kJump))
      step.jump_to = flow->target.value_or(kNoTarget);
    step.calls = flow && flow->flow == Flow::kAway;
    step.goes_on = flow && (flow->flow == Flow::kNext || flow->flow == Flow::kBranch || step.calls);
    if (step.calls) step.writes |= kOfCalls;
    steps.push_back(step);
    offset += length;
  }
  return steps;
}

}  // namespace hm::symbol
