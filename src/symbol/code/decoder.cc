// SPDX-License-Identifier: MIT
#include "symbol/code/decoder.h"

#include <asm/perf_regs.h>

namespace hm::symbol {
namespace {

// The processor's register numbering, which is also that of Zydis from RAX on.
constexpr std::array<uint8_t, 16> kGeneral = {
    PERF_REG_X86_AX,  PERF_REG_X86_CX,  PERF_REG_X86_DX,  PERF_REG_X86_BX, PERF_REG_X86_SP,  PERF_REG_X86_BP,
    PERF_REG_X86_SI,  PERF_REG_X86_DI,  PERF_REG_X86_R8,  PERF_REG_X86_R9, PERF_REG_X86_R10, PERF_REG_X86_R11,
    PERF_REG_X86_R12, PERF_REG_X86_R13, PERF_REG_X86_R14, PERF_REG_X86_R15};

}  // namespace

Decoder::Decoder() { (void)ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }

bool Decoder::decode(Bytes code) {
  return ZYAN_SUCCESS(
      ZydisDecoderDecodeInstruction(&decoder_, &context_, code.data(), code.size(), &instruction_));
}

std::span<const ZydisDecodedOperand> Decoder::operands() {
  uint8_t count = instruction_.operand_count;
  if (!ZYAN_SUCCESS(
          ZydisDecoderDecodeOperands(&decoder_, &context_, &instruction_, operands_.data(), count))) {
    return {};
  }
  return {operands_.data(), count};
}

uint8_t register_number(ZydisRegister part) {
  if (part == ZYDIS_REGISTER_RIP || part == ZYDIS_REGISTER_EIP) return PERF_REG_X86_IP;
  ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, part);
  if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15) return kNoRegister;
  return kGeneral[static_cast<size_t>(whole - ZYDIS_REGISTER_RAX)];
}

}  // namespace hm::symbol
