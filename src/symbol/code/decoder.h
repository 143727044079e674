// SPDX-License-Identifier: MIT
// Zydis, as this folder's other files use it.
#pragma once

#include <Zydis/Zydis.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/bytes.h"
#include "symbol/unwind/registers.h"

namespace hm::symbol {

// One x86-64 instruction; the operands are decoded when asked for.
class Decoder {
 public:
  Decoder();

  // The instruction that `code` begins with; false where it begins with none.
  bool decode(Bytes code);
  [[nodiscard]] const ZydisDecodedInstruction& instruction() const { return instruction_; }
  // Hidden ones included; empty where Zydis does not tell.
  [[nodiscard]] std::span<const ZydisDecodedOperand> operands();

 private:
  ZydisDecoder decoder_{};
  ZydisDecoderContext context_{};
  ZydisDecodedInstruction instruction_{};
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands_{};
};

// An instruction with all that is decoded of it.
struct DecodedInstruction {
  uint64_t address = 0;
  ZydisDecodedInstruction head{};
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]{};
};

// The number (symbol/unwind/registers.h) of the 64-bit register that `part` is or is a part of; kNoRegister
// for others than the general ones and the instruction pointer.
[[nodiscard]] uint8_t register_number(ZydisRegister part);

}  // namespace hm::symbol
