// SPDX-License-Identifier: MIT
// Flow and flags.
#include "pmu/soft/direct/decode/oracle/oracle.h"

namespace hm::soft::direct {
namespace {

constexpr uint16_t kFlags = kStatusFlags | kDirectionFlag;

// Returns true if the instruction faults in user mode (with I/O privilege level 0, as in Linux).
bool traps(const ZydisDecodedInstruction& instruction) {
  if ((instruction.attributes & ZYDIS_ATTRIB_IS_PRIVILEGED) != 0) return true;
  if (is_one_of(instruction, {ZYDIS_MNEMONIC_UD0, ZYDIS_MNEMONIC_UD1, ZYDIS_MNEMONIC_UD2, ZYDIS_MNEMONIC_CLI,
                              ZYDIS_MNEMONIC_STI}))
    return true;
  switch (instruction.meta.category) {
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_IO:
    case ZYDIS_CATEGORY_IOSTRINGOP:
    case ZYDIS_CATEGORY_SYSRET:
    case ZYDIS_CATEGORY_VTX:
      return true;
    default:
      return instruction.meta.isa_set == ZYDIS_ISA_SET_SVM;
  }
}

bool is_conditional_jump(const ZydisDecodedInstruction& instruction) {
  return (instruction.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && instruction.opcode >> 4 == 7) ||
         (instruction.opcode_map == ZYDIS_OPCODE_MAP_0F && instruction.opcode >> 4 == 8);
}

Flow flow_of(const ZydisView& view) {
  const ZydisDecodedInstruction& instruction = view.instruction;
  bool far = instruction.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
  bool direct = view.operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
  if (traps(instruction)) return Flow::kTrap;
  switch (instruction.meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
      if (instruction.meta.isa_set == ZYDIS_ISA_SET_RTM) return Flow::kOther;
      return is_conditional_jump(instruction) ? Flow::kConditionalJump : Flow::kCountedJump;
    case ZYDIS_CATEGORY_UNCOND_BR:
      // xabort has no effect outside a transaction. None is begun, because xbegin is not followed.
      if (instruction.mnemonic == ZYDIS_MNEMONIC_XABORT) return Flow::kNone;
      if (far) return Flow::kOther;
      return direct ? Flow::kJump : Flow::kIndirectJump;
    case ZYDIS_CATEGORY_CALL:
      if (far) return Flow::kOther;
      return direct ? Flow::kCall : Flow::kIndirectCall;
    case ZYDIS_CATEGORY_RET:
      return far || instruction.mnemonic != ZYDIS_MNEMONIC_RET ? Flow::kOther : Flow::kReturn;
    case ZYDIS_CATEGORY_SYSCALL:
      return instruction.mnemonic == ZYDIS_MNEMONIC_SYSCALL ? Flow::kSystemCall : Flow::kOther;
    default:
      return Flow::kNone;
  }
}

bool is_shift_by_nothing(const ZydisView& view) {
  const ZydisDecodedInstruction& instruction = view.instruction;
  bool shifts =
      instruction.meta.category == ZYDIS_CATEGORY_SHIFT || instruction.meta.category == ZYDIS_CATEGORY_ROTATE;
  if (!shifts) return false;
  for (const ZydisDecodedOperand& operand : view.all()) {
    bool implicit = operand.encoding == ZYDIS_OPERAND_ENCODING_NONE;
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER && implicit && operand.reg.value == ZYDIS_REGISTER_CL)
      return true;
    uint64_t count_mask = view.operands[0].size == 64 ? 63 : 31;
    if (operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE && (operand.imm.value.u & count_mask) == 0) return true;
  }
  return false;
}

bool is_repeated(const Instruction& instruction) { return instruction.repeat != Repeat::kNone; }

Repeat repeat_of(const Instruction& instruction) {
  bool compares = instruction.string_operation == StringOperation::kCmps ||
                  instruction.string_operation == StringOperation::kScas;
  if (instruction.string_operation == StringOperation::kNone) return Repeat::kNone;
  if (instruction.prefix_f3) return compares ? Repeat::kRepe : Repeat::kRep;
  if (instruction.prefix_f2) return compares ? Repeat::kRepne : Repeat::kRep;
  return Repeat::kNone;
}

}  // namespace

StringOperation string_operation(const ZydisDecodedInstruction& instruction) {
  if (instruction.meta.category != ZYDIS_CATEGORY_STRINGOP) return StringOperation::kNone;
  switch (instruction.opcode & 0xfe) {
    case 0xa4:
      return StringOperation::kMovs;
    case 0xa6:
      return StringOperation::kCmps;
    case 0xaa:
      return StringOperation::kStos;
    case 0xac:
      return StringOperation::kLods;
    default:
      return StringOperation::kScas;
  }
}

void describe_flow(const ZydisView& view, uint64_t address, Instruction& out) {
  out.flow = flow_of(view);
  if (out.flow == Flow::kConditionalJump) out.condition = out.opcode & 0xf;
  const auto& immediate = view.instruction.raw.imm[0];
  if (immediate.size != 0 && immediate.is_relative) out.target = address + out.length + immediate.value.u;
  out.string_operation = string_operation(view.instruction);
  out.repeat = repeat_of(out);
}

void describe_flags(const ZydisView& view, Instruction& out) {
  const ZydisAccessedFlags* flags = view.instruction.cpu_flags;
  if (flags == nullptr) return;
  out.flags_read = static_cast<uint16_t>(flags->tested & kFlags);
  out.flags_written =
      static_cast<uint16_t>((flags->modified | flags->set_0 | flags->set_1 | flags->undefined) & kFlags);
  // The kernel restores the flags behind a system call.
  bool keeps_flags = is_shift_by_nothing(view) || is_repeated(out) || out.flow == Flow::kSystemCall;
  if (keeps_flags) out.flags_written = 0;
}

}  // namespace hm::soft::direct
