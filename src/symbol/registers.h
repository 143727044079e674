// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace hm::symbol {

inline constexpr uint8_t kNoRegister = 0xff;

// What the registers of a thread hold, as far as known.
struct RegisterValues {
  // Numbered as in arch/x86/include/uapi/asm/perf_regs.h: PERF_REG_X86_AX is 0, PERF_REG_X86_R15 is 23.
  static constexpr unsigned kCount = 24;

  std::array<uint64_t, kCount> values{};
  uint32_t known = 0;  // a bit for each

  void set(unsigned number, uint64_t value) {
    values[number] = value;
    known |= uint32_t{1} << number;
  }
  [[nodiscard]] std::optional<uint64_t> at(unsigned number) const {
    if (number >= kCount || (known >> number & 1) == 0) return std::nullopt;
    return values[number];
  }
};

}  // namespace hm::symbol
