// SPDX-License-Identifier: MIT
// Effects of a function's instructions on registers and on words of the stack frame.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "symbol/code/decoder.h"

namespace hm::symbol {

// Returns the bit of a register in a mask; registers have perf's numbers.
constexpr uint32_t bit_of(uint8_t number) { return number == kNoRegister ? 0 : uint32_t{1} << number; }

inline constexpr uint64_t kNoTarget = ~uint64_t{0};

struct Step {
  uint64_t address = 0;
  uint32_t reads = 0;           // registers read as values, one bit each
  uint32_t address_inputs = 0;  // registers of the memory operand
  uint32_t writes = 0;
  int64_t displacement = 0;  // of the memory operand
  uint16_t bytes = 0;        // of the memory operand; 0: none
  uint8_t scale = 0;
  uint8_t base = kNoRegister;
  uint8_t index = kNoRegister;
  std::optional<int64_t> adds_constant{};  // added to the only register that it writes, with no other effect
  bool loads = false;                      // its result comes from memory
  bool stores = false;                     // writes to memory
  bool copies = false;                     // its result is a copy of its input
  bool adds = false;                       // its result is the sum of its inputs and of constants only
  bool repeats = false;  // loops by itself over consecutive addresses: `rep movsb` and its like
  bool calls = false;
  bool makes_frame = false;      // `mov %rsp,%rbp`: its result points to the frame
  bool goes_on = true;           // control may continue with the next instruction
  uint64_t jump_to = kNoTarget;  // target of a direct jump
};

// Decodes `code`, which begins at `start`, up to the first invalid instruction.
[[nodiscard]] std::vector<Step> steps_of(Bytes code, uint64_t start);

}  // namespace hm::symbol
