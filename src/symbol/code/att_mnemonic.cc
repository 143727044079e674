// SPDX-License-Identifier: MIT
#include "symbol/code/att_mnemonic.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace hm::symbol {
namespace {

struct Name {
  ZydisMnemonic mnemonic;
  std::string_view name;
};

constexpr Name kNames[] = {
    {ZYDIS_MNEMONIC_JZ, "je"},           {ZYDIS_MNEMONIC_JNZ, "jne"},       {ZYDIS_MNEMONIC_JNB, "jae"},
    {ZYDIS_MNEMONIC_JNBE, "ja"},         {ZYDIS_MNEMONIC_JNL, "jge"},       {ZYDIS_MNEMONIC_JNLE, "jg"},
    {ZYDIS_MNEMONIC_SETZ, "sete"},       {ZYDIS_MNEMONIC_SETNZ, "setne"},   {ZYDIS_MNEMONIC_SETNB, "setae"},
    {ZYDIS_MNEMONIC_SETNBE, "seta"},     {ZYDIS_MNEMONIC_SETNL, "setge"},   {ZYDIS_MNEMONIC_SETNLE, "setg"},
    {ZYDIS_MNEMONIC_CMOVZ, "cmove"},     {ZYDIS_MNEMONIC_CMOVNZ, "cmovne"}, {ZYDIS_MNEMONIC_CMOVNB, "cmovae"},
    {ZYDIS_MNEMONIC_CMOVNBE, "cmova"},   {ZYDIS_MNEMONIC_CMOVNL, "cmovge"}, {ZYDIS_MNEMONIC_CMOVNLE, "cmovg"},
    {ZYDIS_MNEMONIC_CBW, "cbtw"},        {ZYDIS_MNEMONIC_CWDE, "cwtl"},     {ZYDIS_MNEMONIC_CDQE, "cltq"},
    {ZYDIS_MNEMONIC_CWD, "cwtd"},        {ZYDIS_MNEMONIC_CDQ, "cltd"},      {ZYDIS_MNEMONIC_CQO, "cqto"},
    {ZYDIS_MNEMONIC_MOVSXD, "movslq"},   {ZYDIS_MNEMONIC_PUSHFQ, "pushf"},  {ZYDIS_MNEMONIC_POPFQ, "popf"},
    {ZYDIS_MNEMONIC_FCMOVNU, "fcmovnu"},
};

// Integer arithmetic: with a memory operand and an immediate or no other operand, the size is ambiguous.
constexpr ZydisMnemonic kSized[] = {
    ZYDIS_MNEMONIC_ADC,  ZYDIS_MNEMONIC_ADD, ZYDIS_MNEMONIC_AND,  ZYDIS_MNEMONIC_BT,   ZYDIS_MNEMONIC_BTC,
    ZYDIS_MNEMONIC_BTR,  ZYDIS_MNEMONIC_BTS, ZYDIS_MNEMONIC_CMP,  ZYDIS_MNEMONIC_DEC,  ZYDIS_MNEMONIC_DIV,
    ZYDIS_MNEMONIC_IDIV, ZYDIS_MNEMONIC_INC, ZYDIS_MNEMONIC_MOV,  ZYDIS_MNEMONIC_IMUL, ZYDIS_MNEMONIC_MUL,
    ZYDIS_MNEMONIC_NEG,  ZYDIS_MNEMONIC_NOT, ZYDIS_MNEMONIC_OR,   ZYDIS_MNEMONIC_RCL,  ZYDIS_MNEMONIC_RCR,
    ZYDIS_MNEMONIC_ROL,  ZYDIS_MNEMONIC_ROR, ZYDIS_MNEMONIC_SAR,  ZYDIS_MNEMONIC_SBB,  ZYDIS_MNEMONIC_SHL,
    ZYDIS_MNEMONIC_SHR,  ZYDIS_MNEMONIC_SUB, ZYDIS_MNEMONIC_TEST, ZYDIS_MNEMONIC_XOR};

// Conversions with an integer in memory or a general register as their source.
constexpr ZydisMnemonic kFromInteger[] = {ZYDIS_MNEMONIC_CVTSI2SD,   ZYDIS_MNEMONIC_CVTSI2SS,
                                          ZYDIS_MNEMONIC_VCVTSI2SD,  ZYDIS_MNEMONIC_VCVTSI2SS,
                                          ZYDIS_MNEMONIC_VCVTUSI2SD, ZYDIS_MNEMONIC_VCVTUSI2SS};

constexpr ZydisMnemonic kX87Float[] = {ZYDIS_MNEMONIC_FLD,   ZYDIS_MNEMONIC_FST,  ZYDIS_MNEMONIC_FSTP,
                                       ZYDIS_MNEMONIC_FADD,  ZYDIS_MNEMONIC_FMUL, ZYDIS_MNEMONIC_FSUB,
                                       ZYDIS_MNEMONIC_FSUBR, ZYDIS_MNEMONIC_FDIV, ZYDIS_MNEMONIC_FDIVR,
                                       ZYDIS_MNEMONIC_FCOM,  ZYDIS_MNEMONIC_FCOMP};
constexpr ZydisMnemonic kX87Integer[] = {ZYDIS_MNEMONIC_FILD,   ZYDIS_MNEMONIC_FIST,   ZYDIS_MNEMONIC_FISTP,
                                         ZYDIS_MNEMONIC_FISTTP, ZYDIS_MNEMONIC_FIADD,  ZYDIS_MNEMONIC_FIMUL,
                                         ZYDIS_MNEMONIC_FISUB,  ZYDIS_MNEMONIC_FISUBR, ZYDIS_MNEMONIC_FIDIV,
                                         ZYDIS_MNEMONIC_FIDIVR, ZYDIS_MNEMONIC_FICOM,  ZYDIS_MNEMONIC_FICOMP};
// AT&T assemblers exchange these names if the result is not the top of the stack: GNU as, "AT&T Syntax versus
// Intel Syntax".
constexpr Name kX87Reversed[] = {{ZYDIS_MNEMONIC_FSUB, "fsubr"},   {ZYDIS_MNEMONIC_FSUBR, "fsub"},
                                 {ZYDIS_MNEMONIC_FDIV, "fdivr"},   {ZYDIS_MNEMONIC_FDIVR, "fdiv"},
                                 {ZYDIS_MNEMONIC_FSUBP, "fsubrp"}, {ZYDIS_MNEMONIC_FSUBRP, "fsubp"},
                                 {ZYDIS_MNEMONIC_FDIVP, "fdivrp"}, {ZYDIS_MNEMONIC_FDIVRP, "fdivp"}};

// Comparisons with a last operand that selects one of `predicates`: "cmp" + predicate + "ss".
struct Comparison {
  ZydisMnemonic mnemonic;
  std::string_view before, behind;
};
constexpr Comparison kFloatComparisons[] = {
    {ZYDIS_MNEMONIC_CMPPS, "cmp", "ps"},   {ZYDIS_MNEMONIC_CMPPD, "cmp", "pd"},
    {ZYDIS_MNEMONIC_CMPSS, "cmp", "ss"},   {ZYDIS_MNEMONIC_CMPSD, "cmp", "sd"},
    {ZYDIS_MNEMONIC_VCMPPS, "vcmp", "ps"}, {ZYDIS_MNEMONIC_VCMPPD, "vcmp", "pd"},
    {ZYDIS_MNEMONIC_VCMPSS, "vcmp", "ss"}, {ZYDIS_MNEMONIC_VCMPSD, "vcmp", "sd"}};
constexpr Comparison kIntegerComparisons[] = {
    {ZYDIS_MNEMONIC_VPCMPB, "vpcmp", "b"},   {ZYDIS_MNEMONIC_VPCMPW, "vpcmp", "w"},
    {ZYDIS_MNEMONIC_VPCMPD, "vpcmp", "d"},   {ZYDIS_MNEMONIC_VPCMPQ, "vpcmp", "q"},
    {ZYDIS_MNEMONIC_VPCMPUB, "vpcmp", "ub"}, {ZYDIS_MNEMONIC_VPCMPUW, "vpcmp", "uw"},
    {ZYDIS_MNEMONIC_VPCMPUD, "vpcmp", "ud"}, {ZYDIS_MNEMONIC_VPCMPUQ, "vpcmp", "uq"}};
constexpr std::array<std::string_view, 32> kFloatPredicates{
    "eq",    "lt",     "le",     "unord",    "neq",    "nlt",    "nle",    "ord",
    "eq_uq", "nge",    "ngt",    "false",    "neq_oq", "ge",     "gt",     "true",
    "eq_os", "lt_oq",  "le_oq",  "unord_s",  "neq_us", "nlt_uq", "nle_uq", "ord_s",
    "eq_us", "nge_uq", "ngt_uq", "false_os", "neq_os", "ge_oq",  "gt_oq",  "true_us"};
constexpr std::array<std::string_view, 8> kIntegerPredicates{"eq", "lt", "le", "", "neq", "nlt", "nle", ""};

bool is_in(ZydisMnemonic mnemonic, std::span<const ZydisMnemonic> list) {
  return std::ranges::find(list, mnemonic) != list.end();
}

std::string_view renamed(ZydisMnemonic mnemonic, std::span<const Name> names) {
  auto found = std::ranges::find(names, mnemonic, &Name::mnemonic);
  return found == names.end() ? std::string_view() : found->name;
}

std::span<const ZydisDecodedOperand> visible(const DecodedInstruction& instruction) {
  return std::span(instruction.operands).first(instruction.head.operand_count_visible);
}

const ZydisDecodedOperand* memory_of(const DecodedInstruction& instruction) {
  for (const ZydisDecodedOperand& operand : visible(instruction)) {
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) return &operand;
  }
  return nullptr;
}

std::string_view size_suffix(unsigned bits) {
  switch (bits) {
    case 8:
      return "b";
    case 16:
      return "w";
    case 32:
      return "l";
    case 64:
      return "q";
    default:
      return "";
  }
}

// The count register of a shift does not imply the size of the shifted operand.
bool has_sizing_register(const DecodedInstruction& instruction) {
  bool shifts = instruction.head.meta.category == ZYDIS_CATEGORY_SHIFT ||
                instruction.head.meta.category == ZYDIS_CATEGORY_ROTATE;
  return std::ranges::any_of(visible(instruction), [&](const ZydisDecodedOperand& operand) {
    bool is_count = shifts && operand.reg.value == ZYDIS_REGISTER_CL;
    return operand.type == ZYDIS_OPERAND_TYPE_REGISTER && !is_count;
  });
}

std::string_view x87_suffix(ZydisMnemonic mnemonic, unsigned bits) {
  if (is_in(mnemonic, kX87Float)) return bits == 32 ? "s" : bits == 64 ? "l" : "t";
  if (is_in(mnemonic, kX87Integer)) return bits == 16 ? "s" : bits == 32 ? "l" : "ll";
  return "";
}

std::string_view memory_suffix(const DecodedInstruction& instruction) {
  const ZydisDecodedOperand* memory = memory_of(instruction);
  if (memory == nullptr) return "";
  ZydisMnemonic mnemonic = instruction.head.mnemonic;
  if (mnemonic == ZYDIS_MNEMONIC_NOP) return size_suffix(instruction.head.operand_width);
  if (is_in(mnemonic, kFromInteger)) return size_suffix(memory->size);
  bool open = is_in(mnemonic, kSized) && !has_sizing_register(instruction);
  return open ? size_suffix(memory->size) : x87_suffix(mnemonic, memory->size);
}

// Returns a name such as "movzbl", with the sizes of source and result.
std::string extending_move(const DecodedInstruction& instruction) {
  std::string name = instruction.head.mnemonic == ZYDIS_MNEMONIC_MOVZX ? "movz" : "movs";
  name += size_suffix(instruction.operands[1].size);
  return name += size_suffix(instruction.operands[0].size);
}

// Returns "movsb", "stos", ...: moves and comparisons include the size, the others show a register operand.
std::string string_operation(const DecodedInstruction& instruction) {
  std::string name = ZydisMnemonicGetString(instruction.head.mnemonic);
  bool named_by_size = name.starts_with("movs") || name.starts_with("cmps");
  name.pop_back();
  if (named_by_size) name += size_suffix(instruction.head.operand_width);
  return name;
}

const Comparison* comparison_of(ZydisMnemonic mnemonic, std::span<const Comparison> list) {
  auto found = std::ranges::find(list, mnemonic, &Comparison::mnemonic);
  return found == list.end() ? nullptr : &*found;
}

// Returns an empty string if the instruction is not a comparison of this kind or its immediate selects no
// predicate.
std::string comparison(const DecodedInstruction& instruction) {
  auto name = [&](std::span<const Comparison> list, std::span<const std::string_view> predicates) {
    const Comparison* found = comparison_of(instruction.head.mnemonic, list);
    if (found == nullptr) return std::string();
    uint64_t number = visible(instruction).back().imm.value.u;
    bool vex = instruction.head.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY;
    uint64_t count = vex ? predicates.size() : 8;
    if (number >= count || predicates[number].empty()) return std::string();
    return std::string(found->before).append(predicates[number]).append(found->behind);
  };
  std::string floating = name(kFloatComparisons, kFloatPredicates);
  return floating.empty() ? name(kIntegerComparisons, kIntegerPredicates) : floating;
}

bool loads_wide_number(const DecodedInstruction& instruction) {
  const ZydisDecodedInstruction& head = instruction.head;
  if (head.mnemonic != ZYDIS_MNEMONIC_MOV || head.opcode_map != ZYDIS_OPCODE_MAP_DEFAULT) return false;
  bool far_memory = head.opcode >= 0xa0 && head.opcode <= 0xa3;
  return far_memory || head.raw.imm[0].size == 64;
}

// Names are not exchanged if the result goes to the top of the x87 stack.
bool is_reversed(const DecodedInstruction& instruction) {
  return instruction.operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
         instruction.operands[0].reg.value != ZYDIS_REGISTER_ST0;
}

std::string plain_mnemonic(const DecodedInstruction& instruction) {
  const ZydisDecodedInstruction& head = instruction.head;
  if (is_string_operation(instruction)) return string_operation(instruction);
  if (head.mnemonic == ZYDIS_MNEMONIC_MOVZX || head.mnemonic == ZYDIS_MNEMONIC_MOVSX)
    return extending_move(instruction);
  if (loads_wide_number(instruction)) return "movabs";
  if (std::string name = comparison(instruction); !name.empty()) return name;
  if (std::string_view name = renamed(head.mnemonic, kX87Reversed); !name.empty() && is_reversed(instruction))
    return std::string(name);
  bool two_bytes = head.mnemonic == ZYDIS_MNEMONIC_NOP && head.opcode == 0x90 && head.operand_width == 16;
  if (two_bytes && head.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT) return "xchg   %ax,%ax";
  std::string_view known = renamed(head.mnemonic, kNames);
  std::string name(known.empty() ? ZydisMnemonicGetString(head.mnemonic) : known);
  if (head.mnemonic == ZYDIS_MNEMONIC_CRC32) return name.append(size_suffix(instruction.operands[1].size));
  return name.append(memory_suffix(instruction));
}

// Returns objdump's text of a prefix; empty if the instruction's name or operands already imply it.
std::string_view prefix_text(const ZydisDecodedInstruction& head, ZydisPrefixType type, uint8_t value) {
  auto has = [&](ZydisInstructionAttributes attributes) { return (head.attributes & attributes) != 0; };
  bool branches = head.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE;
  bool names_segment = has(ZYDIS_ATTRIB_HAS_SEGMENT_FS | ZYDIS_ATTRIB_HAS_SEGMENT_GS);
  bool part_of_opcode = type == ZYDIS_PREFIX_TYPE_MANDATORY;
  switch (value) {
    case 0x66:
      return type == ZYDIS_PREFIX_TYPE_IGNORED ? "data16 " : "";
    case 0x2e:
      return branches ? "" : "cs ";
    case 0x3e:
      return has(ZYDIS_ATTRIB_HAS_NOTRACK) ? "notrack " : branches ? "" : "ds ";
    case 0x64:
      return names_segment ? "" : "fs ";
    case 0x65:
      return names_segment ? "" : "gs ";
    case 0xf0:
      return "lock ";
    case 0xf2:
      if (has(ZYDIS_ATTRIB_HAS_BND)) return "bnd ";
      return part_of_opcode && !has(ZYDIS_ATTRIB_HAS_REPNE) ? "" : "repnz ";
    case 0xf3:
      if (has(ZYDIS_ATTRIB_HAS_REP)) return "rep ";
      return part_of_opcode && !has(ZYDIS_ATTRIB_HAS_REPE) ? "" : "repz ";
    default:
      return "";
  }
}

// Returns the texts of the prefixes in order.
std::string prefixes(const DecodedInstruction& instruction) {
  const auto& raw = instruction.head.raw;
  std::string text;
  for (unsigned i = 0; i < raw.prefix_count; ++i)
    text += prefix_text(instruction.head, raw.prefixes[i].type, raw.prefixes[i].value);
  return text;
}

}  // namespace

bool is_string_operation(const DecodedInstruction& instruction) {
  return instruction.head.meta.category == ZYDIS_CATEGORY_STRINGOP;
}

bool names_predicate(const DecodedInstruction& instruction) { return !comparison(instruction).empty(); }

std::string att_mnemonic(const DecodedInstruction& instruction) {
  return prefixes(instruction) + plain_mnemonic(instruction);
}

}  // namespace hm::symbol
