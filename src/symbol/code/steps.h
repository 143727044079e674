// SPDX-License-Identifier: MIT
// What the instructions of a function do to registers and to the words of its stack frame.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "symbol/code/decoder.h"

namespace hm::symbol {

// Of registers, as perf numbers them.
constexpr uint32_t bit_of(uint8_t number) { return number == kNoRegister ? 0 : uint32_t{1} << number; }

inline constexpr uint64_t kNoTarget = ~uint64_t{0};

struct Step {
  uint64_t address = 0;
  uint32_t reads = 0;           // values, a bit a register
  uint32_t address_inputs = 0;  // registers of its memory operand
  uint32_t writes = 0;
  int64_t displacement = 0;  // of it
  uint16_t bytes = 0;        // of it; 0 where it has none
  uint8_t scale = 0;
  uint8_t base = kNoRegister;
  uint8_t index = kNoRegister;
  std::optional<int64_t> adds_constant{};  // to the one thing that it writes, and does nothing else to it
  bool loads = false;                      // what it writes comes from memory
  bool stores = false;                     // to memory
  bool copies = false;                     // what it writes is what it reads
  bool adds = false;     // what it writes is the sum of what it reads, of constants, and of nothing else
  bool repeats = false;  // of itself, over addresses one behind the other: `rep movsb` and its like
  bool calls = false;
  bool makes_frame = false;      // `mov %rsp,%rbp`: what it writes points to the frame
  bool goes_on = true;           // maybe, to the instruction behind it
  uint64_t jump_to = kNoTarget;  // of a direct jump
};

// Of `code`, which begins at `start`, up to the first byte that cannot be decoded.
[[nodiscard]] std::vector<Step> steps_of(Bytes code, uint64_t start);

}  // namespace hm::symbol
