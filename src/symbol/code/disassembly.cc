// SPDX-License-Identifier: MIT
#include "symbol/code/disassembly.h"

#include <Zydis/Zydis.h>
#include <fmt/format.h>

#include <array>
#include <utility>

#include "symbol/code/att_syntax.h"
#include "symbol/code/foreign_code.h"

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

ZydisDecoder decoder_of(bool is_64_bit) {
  ZydisDecoder decoder;
  (void)ZydisDecoderInit(&decoder, is_64_bit ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
                         is_64_bit ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
  return decoder;
}

std::vector<Instruction> disassemble_x86(bool is_64_bit, Bytes code, uint64_t address, Syntax syntax) {
  IntelFormatter intel;
  ZydisDecoder decoder = decoder_of(is_64_bit);
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

// Shows the data between functions as GNU objdump does: words, and the bytes after the last whole word.
std::vector<Instruction> list_data(bool is_big_endian, Bytes data, uint64_t address) {
  std::vector<Instruction> words;
  ByteReader in(data, is_big_endian);
  while (in.remaining() >= sizeof(uint32_t)) {
    words.push_back({.address = address, .length = sizeof(uint32_t), .text = {}, .target = {}, .data = {}});
    words.back().text = fmt::format("{:<6} {:#010x}", ".word", in.u32());
    address += sizeof(uint32_t);
  }
  while (in.remaining() > 0) {
    words.push_back({.address = address++, .length = 1, .text = {}, .target = {}, .data = {}});
    words.back().text = fmt::format("{:<6} {:#04x}", ".byte", in.u8());
  }
  return words;
}

}  // namespace

std::vector<Instruction> disassemble(Bytes code, uint64_t address, Syntax syntax) {
  return disassemble_x86(true, code, address, syntax);
}

Result<std::vector<Instruction>> disassemble(const CodeKind& kind, Bytes code, uint64_t address,
                                             Syntax syntax) {
  if (kind.content == CodeKind::Content::kData) return list_data(kind.machine.is_big_endian, code, address);
  if (kind.machine.is_x86_64()) return disassemble_x86(true, code, address, syntax);
  if (kind.machine.elf == EM_386) return disassemble_x86(false, code, address, syntax);
  return disassemble_foreign(kind, code, address);
}

}  // namespace hm::symbol
