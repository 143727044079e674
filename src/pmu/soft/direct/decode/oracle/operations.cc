// SPDX-License-Identifier: MIT
// Determines what an instruction computes, and its vector registers, from its mnemonic and its operands.
#include <string>
#include <string_view>

#include "pmu/soft/direct/decode/oracle/oracle.h"

namespace hm::soft::direct {
namespace {

bool starts_with_one_of(std::string_view name, std::initializer_list<std::string_view> starts) {
  return std::ranges::any_of(starts, [&](std::string_view start) { return name.starts_with(start); });
}

bool is_vector(ZydisRegister name) {
  ZydisRegisterClass kind = ZydisRegisterGetClass(name);
  return kind == ZYDIS_REGCLASS_XMM || kind == ZYDIS_REGCLASS_YMM || kind == ZYDIS_REGCLASS_ZMM;
}

bool writes_general_or_flags(const Instruction& instruction) {
  return instruction.registers_written != 0 || instruction.flags_written != 0;
}

bool reads_general(const Instruction& instruction) {
  return std::ranges::any_of(std::span(instruction.fields).first(static_cast<size_t>(Field::kBase)),
                             [](const RegisterField& field) { return field.read; });
}

std::optional<Operation> slow_operation(std::string_view name) {
  if (starts_with_one_of(
          name, {"cpuid", "xsave", "xrstor", "fxsave", "fxrstor", "fsin", "fcos", "fptan", "fpatan", "f2xm1",
                 "fyl2x", "fbld", "fbstp", "rdrand", "rdseed", "wrfsbase", "wrgsbase"}))
    return Operation::kVerySlow;
  if (starts_with_one_of(
          name, {"rdtsc", "mfence", "lfence", "sfence", "pause", "xgetbv", "pcmpistr", "pcmpestr", "clflush",
                 "clwb", "fprem", "ldmxcsr", "stmxcsr", "fldcw", "rdpid"}))
    return Operation::kSlow;
  return std::nullopt;
}

Operation general_operation(const ZydisView& view, std::string_view name, const Instruction& instruction) {
  if (starts_with_one_of(name, {"nop", "endbr", "prefetch"})) return Operation::kNothing;
  if (starts_with_one_of(name, {"imul", "mul", "crc32", "pdep", "pext"})) return Operation::kMultiply;
  if (name == "div" || name == "idiv")
    return view.operands[0].size == 64 ? Operation::kDivideLong : Operation::kDivide;
  bool extends = starts_with_one_of(name, {"movzx", "movsx"}) && instruction.access_count == 0;
  bool moves = instruction.kind.only_moves || name == "push";
  return moves && !extends ? Operation::kMove : Operation::kSimple;
}

Operation x87_operation(std::string_view name, const Instruction& instruction) {
  if (name.starts_with("fdiv") || name.starts_with("fidiv")) return Operation::kFloatDivide;
  if (name == "fsqrt") return Operation::kFloatRoot;
  return instruction.kind.simd == SimdClass::kMove ? Operation::kMove : Operation::kX87;
}

bool is_floating(SimdClass simd) {
  return simd == SimdClass::kPackedSp || simd == SimdClass::kPackedDp || simd == SimdClass::kScalarSp ||
         simd == SimdClass::kScalarDp;
}

std::optional<Operation> floating_operation(std::string_view name) {
  if (starts_with_one_of(name, {"div"})) return Operation::kFloatDivide;
  if (starts_with_one_of(name, {"sqrt"})) return Operation::kFloatRoot;
  if (starts_with_one_of(name, {"fm", "fnm", "rcp", "rsqrt", "dp"})) return Operation::kFloatFused;
  if (starts_with_one_of(name, {"mul", "scalef"})) return Operation::kFloatMultiply;
  if (starts_with_one_of(name, {"add", "sub", "hadd", "hsub", "min", "max", "cmp", "round", "rndscale",
                                "range", "reduce", "get"}))
    return Operation::kFloatAdd;
  return std::nullopt;
}

Operation vector_operation(std::string_view name, const Instruction& instruction) {
  bool from_memory = instruction.access_count != 0;
  if (writes_general_or_flags(instruction)) return Operation::kToGeneral;
  if (!from_memory && reads_general(instruction)) return Operation::kFromGeneral;
  bool whole = starts_with_one_of(name, {"mova", "movu", "movdqa", "movdqu"});
  if (instruction.kind.simd == SimdClass::kMove && (from_memory || whole)) return Operation::kMove;
  if (starts_with_one_of(name, {"pmul", "pmadd", "psadbw", "mpsadbw", "dbpsadbw"}))
    return Operation::kVectorMultiply;
  if (starts_with_one_of(name, {"aes", "pclmul", "sha", "gf2p8", "pdp", "phminpos"}))
    return Operation::kFloatFused;
  if (is_floating(instruction.kind.simd)) {
    if (auto floating = floating_operation(name)) return *floating;
  }
  return Operation::kVectorSimple;
}

// Returns the number in Row::vectors_read of the field that names a vector register.
std::optional<unsigned> vector_field(const ZydisDecodedOperand& operand) {
  if (!is_vector(operand.reg.value)) return std::nullopt;
  switch (operand.encoding) {
    case ZYDIS_OPERAND_ENCODING_MODRM_REG:
      return 0;
    case ZYDIS_OPERAND_ENCODING_MODRM_RM:
      return 1;
    case ZYDIS_OPERAND_ENCODING_NDSNDD:
      return 2;
    default:
      return std::nullopt;
  }
}

// Returns the register that ModRM or vvvv names; nothing if it names none, or an MMX register.
std::optional<ZydisRegister> named_register(const ZydisView& view, ZydisOperandEncoding encoding) {
  for (const ZydisDecodedOperand& operand : view.all()) {
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER || operand.encoding != encoding) continue;
    if (ZydisRegisterGetClass(operand.reg.value) != ZYDIS_REGCLASS_MMX) return operand.reg.value;
  }
  return std::nullopt;
}

// Exclusive or and differences of a register with itself are 0, whatever it holds.
bool may_cancel(std::string_view name) {
  return name == "xor" || name == "sub" || name == "pxor" || name == "pxord" || name == "pxorq" ||
         name == "xorps" || name == "xorpd" || name.starts_with("psub");
}

}  // namespace

void describe_operation(const ZydisView& view, Described& out) {
  std::string name = plain_name(view.instruction);
  Instruction& instruction = out.instruction;
  if (auto slow = slow_operation(name))
    instruction.operation = *slow;
  else if (is_x87(view.instruction))
    instruction.operation = x87_operation(name, instruction);
  else if (name.starts_with("cvt"))
    instruction.operation = Operation::kConvert;
  else if (out.has_vectors)
    instruction.operation = vector_operation(name, instruction);
  else
    instruction.operation = general_operation(view, name, instruction);
  bool legacy = view.instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY;
  auto one = named_register(view, ZYDIS_OPERAND_ENCODING_MODRM_RM);
  auto other =
      named_register(view, legacy ? ZYDIS_OPERAND_ENCODING_MODRM_REG : ZYDIS_OPERAND_ENCODING_NDSNDD);
  out.cancels = may_cancel(name) && one && other;
  instruction.gives_zero = out.cancels && *one == *other;
}

// The vector registers that ModRM or vvvv name.
void describe_vectors(const ZydisView& view, Described& out) {
  for (const ZydisDecodedOperand& operand : view.all()) {
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) continue;
    bool is_mmx = ZydisRegisterGetClass(operand.reg.value) == ZYDIS_REGCLASS_MMX;
    out.has_vectors |= is_mmx || is_vector(operand.reg.value);
    auto field = vector_field(operand);
    if (!field) continue;
    auto named = static_cast<uint8_t>(1u << *field);
    uint32_t bit = 1u << ZydisRegisterGetId(operand.reg.value);
    if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0) {
      out.vectors_read |= named;
      out.instruction.vectors_read |= bit;
    }
    if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0) {
      out.vectors_written |= named;
      out.instruction.vectors_written |= bit;
    }
  }
  // For the mask of a blend, Zydis does not report that the result may be kept: here, all masks are alike.
  bool merges = view.instruction.avx.mask.mode == ZYDIS_MASK_MODE_MERGING ||
                view.instruction.avx.mask.mode == ZYDIS_MASK_MODE_CONTROL;
  if (merges && plain_name(view.instruction).find("blendm") != std::string::npos)
    out.instruction.vectors_read |= out.instruction.vectors_written;
}

}  // namespace hm::soft::direct
