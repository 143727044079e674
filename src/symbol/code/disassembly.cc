// SPDX-License-Identifier: MIT
#include "symbol/code/disassembly.h"

#include <Zydis/Zydis.h>

#include <array>
#include <utility>

#include "symbol/code/att_syntax.h"

namespace hm::symbol {
namespace {

constexpr size_t kMaxText = 256;
constexpr const char* kBad = "(bad)";

// Intel syntax is Zydis' own: lower case, no leading zeros.
class IntelFormatter {
 public:
  IntelFormatter() {
    (void)ZydisFormatterInit(&formatter_, ZYDIS_FORMATTER_STYLE_INTEL);
    for (auto property :
         {ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_FORMATTER_PROP_ADDR_PADDING_RELATIVE,
          ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_FORMATTER_PROP_IMM_PADDING}) {
      (void)ZydisFormatterSetProperty(&formatter_, property, ZYDIS_PADDING_DISABLED);
    }
    (void)ZydisFormatterSetProperty(&formatter_, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
  }

  [[nodiscard]] std::string text(const DecodedInstruction& instruction) const {
    std::array<char, kMaxText> buffer{};
    bool good = ZYAN_SUCCESS(ZydisFormatterFormatInstruction(
        &formatter_, &instruction.head, instruction.operands, instruction.head.operand_count_visible,
        buffer.data(), buffer.size(), instruction.address, nullptr));
    return good ? buffer.data() : kBad;
  }

 private:
  ZydisFormatter formatter_{};
};

std::optional<uint64_t> target_of(const DecodedInstruction& instruction) {
  const ZydisDecodedOperand& operand = instruction.operands[0];
  bool direct = instruction.head.operand_count_visible > 0 && operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
                operand.imm.is_relative;
  ZyanU64 target = 0;
  if (!direct ||
      !ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&instruction.head, &operand, instruction.address, &target)))
    return std::nullopt;
  return target;
}

}  // namespace

std::vector<Instruction> disassemble(Bytes code, uint64_t address, Syntax syntax) {
  IntelFormatter intel;
  ZydisDecoder decoder;
  (void)ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  std::vector<Instruction> instructions;
  while (!code.empty()) {
    DecodedInstruction decoded{.address = address};
    bool good = ZYAN_SUCCESS(
        ZydisDecoderDecodeFull(&decoder, code.data(), code.size(), &decoded.head, decoded.operands));
    uint8_t length = good ? decoded.head.length : uint8_t{1};
    Instruction instruction{address, length, kBad, std::nullopt, std::nullopt};
    if (good) {
      instruction.text = syntax == Syntax::kAtt ? att_text(decoded) : intel.text(decoded);
      instruction.target = target_of(decoded);
      instruction.data = named_address(decoded);
    }
    instructions.push_back(std::move(instruction));
    address += length;
    code = code.subspan(length);
  }
  return instructions;
}

}  // namespace hm::symbol
