// SPDX-License-Identifier: MIT
#pragma once

#include <asm/perf_regs.h>

#include <array>
#include <cstdint>
#include <optional>

namespace hm::symbol {

inline constexpr uint8_t kNoRegister = 0xff;

// The values of a thread's registers, as far as known.
struct RegisterValues {
  // Numbered as in arch/x86/include/uapi/asm/perf_regs.h: PERF_REG_X86_AX is 0, PERF_REG_X86_R15 is 23.
  static constexpr unsigned kCount = 24;

  std::array<uint64_t, kCount> values{};
  uint32_t known = 0;  // one bit for each register

  void set(unsigned number, uint64_t value) {
    values[number] = value;
    known |= uint32_t{1} << number;
  }
  [[nodiscard]] std::optional<uint64_t> at(unsigned number) const {
    if (number >= kCount || (known >> number & 1) == 0) return std::nullopt;
    return values[number];
  }
};

// Converts a DWARF register number (System V ABI for x86-64, "DWARF Register Number Mapping") to the
// numbering above. 16 is the return address, which is the caller's instruction pointer. Returns kNoRegister
// for all but these and the general registers.
[[nodiscard]] constexpr uint8_t register_of_dwarf(uint64_t number) {
  constexpr std::array<uint8_t, 17> kNumbers{
      PERF_REG_X86_AX,  PERF_REG_X86_DX,  PERF_REG_X86_CX,  PERF_REG_X86_BX,  PERF_REG_X86_SI,
      PERF_REG_X86_DI,  PERF_REG_X86_BP,  PERF_REG_X86_SP,  PERF_REG_X86_R8,  PERF_REG_X86_R9,
      PERF_REG_X86_R10, PERF_REG_X86_R11, PERF_REG_X86_R12, PERF_REG_X86_R13, PERF_REG_X86_R14,
      PERF_REG_X86_R15, PERF_REG_X86_IP};
  return number < kNumbers.size() ? kNumbers[number] : kNoRegister;
}

}  // namespace hm::symbol
