// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace hm::symbol {

enum class Syntax { kAtt, kIntel };

struct Instruction {
  uint64_t address = 0;
  uint8_t length = 0;              // bytes
  std::string text;                // "(bad)" for an invalid instruction
  std::optional<uint64_t> target;  // of a direct call or jump
  std::optional<uint64_t> data;    // data address of a %rip-relative operand
};

// Disassembles x86-64 code that runs at `address`, all of its bytes.
[[nodiscard]] std::vector<Instruction> disassemble(Bytes code, uint64_t address,
                                                   Syntax syntax = Syntax::kAtt);

}  // namespace hm::symbol
