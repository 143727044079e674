// SPDX-License-Identifier: MIT
// Determines the class of an instruction, for events that count classes, from its mnemonic and its registers.
#include <optional>
#include <set>
#include <string>

#include "pmu/soft/direct/decode/oracle/oracle.h"

namespace hm::soft::direct {
namespace {

bool has_register(const ZydisView& view, std::initializer_list<ZydisRegisterClass> classes) {
  for (const ZydisDecodedOperand& operand : view.all()) {
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) continue;
    if (std::ranges::find(classes, ZydisRegisterGetClass(operand.reg.value)) != classes.end()) return true;
  }
  return false;
}

// Control instructions (fldcw, fnstsw, ffree, ...) are neither arithmetic nor moves.
SimdClass x87_class(const std::string& name) {
  static const std::set<std::string> kMoves = {"fld",    "fst",    "fstp",   "fild",   "fist",   "fistp",
                                               "fisttp", "fbld",   "fbstp",  "fxch",   "fld1",   "fldz",
                                               "fldpi",  "fldl2e", "fldl2t", "fldlg2", "fldln2", "fstpnce"};
  static const std::set<std::string> kControl = {
      "fldcw",   "fnstcw",  "fldenv", "fnstenv",      "fnsave",        "frstor",
      "fnstsw",  "fnclex",  "fninit", "fnop",         "ffree",         "ffreep",
      "fincstp", "fdecstp", "fwait",  "feni8087_nop", "fdisi8087_nop", "fsetpm287_nop"};
  if (kMoves.contains(name) || name.starts_with("fcmov")) return SimdClass::kMove;
  return kControl.contains(name) ? SimdClass::kNone : SimdClass::kX87;
}

// Returns true for instructions that copy whole elements. Instructions that select single elements (insert,
// extract, pinsr, pextr, movmsk) or convert (pmovzx) count as computation.
bool is_vector_move(const std::string& name) {
  for (const char* start :
       {"mova", "movu", "movd", "movq", "movh", "movl", "movnt", "maskmov", "pmaskmov", "lddqu", "movshdup",
        "movsldup", "broadcast", "pbroadcast", "gather", "pgather", "scatter", "pscatter"}) {
    if (name.starts_with(start)) return true;
  }
  return name == "movss" || name == "movsd";
}

// Returns the class by the type in the name. A conversion has its source's type, or its result's if the
// source is integer.
std::optional<SimdClass> type_in(std::string name) {
  if (name.starts_with('p') && !name.starts_with("perm")) return std::nullopt;  // pminsd: signed doublewords
  if (name == "cvtne2ps2bf16") return SimdClass::kPackedSp;
  if (name.starts_with("cvt")) {
    size_t two = name.find('2');
    std::string source = name.substr(two - 2, 2);
    bool of_result = source == "pi" || source == "si" || source == "dq" || source == "qq" || source == "ph";
    name = of_result ? name.substr(two + 1) : source;
  }
  if (name.ends_with("f32x4") || name.ends_with("f32x8")) return SimdClass::kPackedSp;
  if (name.ends_with("f64x2") || name.ends_with("f64x4")) return SimdClass::kPackedDp;
  if (name.ends_with("f128")) return SimdClass::kPackedSp;  // no type of its own: counted as floats
  if (name.ends_with("ps")) return SimdClass::kPackedSp;
  if (name.ends_with("pd")) return SimdClass::kPackedDp;
  if (name.ends_with("ss")) return SimdClass::kScalarSp;
  if (name.ends_with("sd")) return SimdClass::kScalarDp;
  return std::nullopt;
}

SimdClass simd_of(const ZydisView& view) {
  const auto& meta = view.instruction.meta;
  std::string name = plain_name(view.instruction);
  if (std::string(ZydisISASetGetString(meta.isa_set)).find("FP16") != std::string::npos)
    return SimdClass::kNone;
  if (is_x87(view.instruction)) return x87_class(name);
  // A conversion from memory to a general register has no vector register. Neither has a test of memory into
  // a mask.
  bool vector = has_register(view, {ZYDIS_REGCLASS_XMM, ZYDIS_REGCLASS_YMM, ZYDIS_REGCLASS_ZMM}) ||
                name.starts_with("cvt") || name.starts_with("fpclass");
  bool mmx = has_register(view, {ZYDIS_REGCLASS_MMX});
  bool changes_state = name == "emms" || name == "zeroupper" || name == "zeroall";
  if ((!vector && !mmx) || changes_state) return SimdClass::kNone;
  if (is_vector_move(name)) return SimdClass::kMove;
  if (auto type = type_in(name)) return *type;
  return vector ? SimdClass::kSimd128 : SimdClass::kMmx64;
}

// Returns true for mov, movzx, movsx, movsxd and pop of general registers.
bool moves_general(const ZydisView& view) {
  for (const ZydisDecodedOperand& operand : view.all()) {
    bool shown = operand.visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN;
    if (!shown || operand.type != ZYDIS_OPERAND_TYPE_REGISTER) continue;
    if (general_register(operand.reg.value) == kNoRegister) return false;  // a segment or control register
  }
  if (view.instruction.mnemonic == ZYDIS_MNEMONIC_POP)
    return view.instruction.opcode != 0x8f;  // the encoding for memory
  return is_one_of(view.instruction,
                   {ZYDIS_MNEMONIC_MOV, ZYDIS_MNEMONIC_MOVZX, ZYDIS_MNEMONIC_MOVSX, ZYDIS_MNEMONIC_MOVSXD});
}

}  // namespace

bool is_x87(const ZydisDecodedInstruction& instruction) {
  const auto& meta = instruction.meta;
  return meta.isa_ext == ZYDIS_ISA_EXT_X87 || meta.isa_set == ZYDIS_ISA_SET_SSE3X87 ||
         meta.isa_set == ZYDIS_ISA_SET_FCMOV || instruction.mnemonic == ZYDIS_MNEMONIC_FISTTP;
}

std::string plain_name(const ZydisDecodedInstruction& instruction) {
  std::string name = ZydisMnemonicGetString(instruction.mnemonic);
  bool legacy = instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY;
  if (!legacy && name.starts_with('v')) name.erase(0, 1);
  return name;
}

void describe_class(const ZydisView& view, Instruction& out) {
  SimdClass simd = simd_of(view);
  out.kind = {branch_of(out.flow), simd, simd == SimdClass::kMove || moves_general(view)};
}

}  // namespace hm::soft::direct
