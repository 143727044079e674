// SPDX-License-Identifier: MIT
#include "symbol/code/disassembly.h"

#include <Zydis/Zydis.h>

#include <array>
#include <utility>

namespace hm::symbol {
namespace {

constexpr size_t kMaxText = 256;
constexpr const char* kBad = "(bad)";

// As objdump writes: lower case, no leading zeros.
class Formatter {
 public:
  explicit Formatter(Syntax syntax) {
    (void)ZydisFormatterInit(
        &formatter_, syntax == Syntax::kAtt ? ZYDIS_FORMATTER_STYLE_ATT : ZYDIS_FORMATTER_STYLE_INTEL);
    for (auto property :
         {ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_FORMATTER_PROP_ADDR_PADDING_RELATIVE,
          ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_FORMATTER_PROP_IMM_PADDING}) {
      (void)ZydisFormatterSetProperty(&formatter_, property, ZYDIS_PADDING_DISABLED);
    }
    (void)ZydisFormatterSetProperty(&formatter_, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
  }

  std::string text(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* operands,
                   uint64_t address) const {
    std::array<char, kMaxText> buffer{};
    bool good = ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter_, &instruction, operands,
                                                             instruction.operand_count_visible, buffer.data(),
                                                             buffer.size(), address, nullptr));
    return good ? buffer.data() : kBad;
  }

 private:
  ZydisFormatter formatter_{};
};

std::optional<uint64_t> target_of(const ZydisDecodedInstruction& instruction,
                                  const ZydisDecodedOperand& operand, uint64_t address) {
  bool direct = instruction.operand_count_visible > 0 && operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
                operand.imm.is_relative;
  ZyanU64 target = 0;
  if (!direct || !ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&instruction, &operand, address, &target)))
    return std::nullopt;
  return target;
}

}  // namespace

std::vector<Instruction> disassemble(Bytes code, uint64_t address, Syntax syntax) {
  Formatter formatter(syntax);
  ZydisDecoder decoder;
  (void)ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  std::vector<Instruction> instructions;
  while (!code.empty()) {
    ZydisDecodedInstruction decoded;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    bool good =
        ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code.data(), code.size(), &decoded, operands.data()));
    uint8_t length = good ? decoded.length : uint8_t{1};
    Instruction instruction{address, length, kBad, std::nullopt};
    if (good) {
      instruction.text = formatter.text(decoded, operands.data(), address);
      instruction.target = target_of(decoded, operands[0], address);
    }
    instructions.push_back(std::move(instruction));
    address += length;
    code = code.subspan(length);
  }
  return instructions;
}

}  // namespace hm::symbol
