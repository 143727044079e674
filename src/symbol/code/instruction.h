// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "symbol/files/machine.h"

namespace hm::symbol {

// A disassembled instruction.
struct Instruction {
  uint64_t address = 0;
  uint8_t length = 0;              // bytes
  std::string text;                // "(bad)" for an invalid instruction
  std::optional<uint64_t> target;  // of a direct call or jump
  std::optional<uint64_t> data;    // data address of a %rip-relative operand
};

// Returns a number of bytes that divides the address of every instruction.
[[nodiscard]] uint64_t instruction_alignment(const CodeKind& kind);

}  // namespace hm::symbol
