// SPDX-License-Identifier: MIT
// Wrapper of Zydis for the other files of this folder.
#pragma once

#include <Zydis/Zydis.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/bytes.h"
#include "symbol/unwind/registers.h"

namespace hm::symbol {

// Decodes one x86-64 instruction; decodes its operands on demand.
class Decoder {
 public:
  Decoder();

  // Decodes the instruction at the start of `code`; returns false if it is invalid.
  bool decode(Bytes code);
  [[nodiscard]] const ZydisDecodedInstruction& instruction() const { return instruction_; }
  // Returns the operands, including hidden ones; empty if Zydis cannot decode them.
  [[nodiscard]] std::span<const ZydisDecodedOperand> operands();

 private:
  ZydisDecoder decoder_{};
  ZydisDecoderContext context_{};
  ZydisDecodedInstruction instruction_{};
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands_{};
};

// An instruction with all its decoded operands.
struct DecodedInstruction {
  uint64_t address = 0;
  ZydisDecodedInstruction head{};
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]{};
};

// Returns the number (symbol/unwind/registers.h) of the 64-bit register that is or contains `part`. Returns
// kNoRegister for all but the general registers and the instruction pointer.
[[nodiscard]] uint8_t register_number(ZydisRegister part);

}  // namespace hm::symbol
