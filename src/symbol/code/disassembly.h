// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "symbol/files/machine.h"

namespace hm::symbol {

enum class Syntax { kAtt, kIntel };

struct Instruction {
  uint64_t address = 0;
  uint8_t length = 0;              // bytes
  std::string text;                // "(bad)" for an invalid instruction
  std::optional<uint64_t> target;  // of a direct call or jump
  std::optional<uint64_t> data;    // data address of a %rip-relative operand
};

// Returns a number of bytes that divides the address of every instruction.
[[nodiscard]] uint64_t instruction_alignment(const CodeKind& kind);

// Disassembles x86-64 code that runs at `address`, all of its bytes.
[[nodiscard]] std::vector<Instruction> disassemble(Bytes code, uint64_t address,
                                                   Syntax syntax = Syntax::kAtt);

// Disassembles code of any processor, as far as `kind` is valid. `syntax` applies to x86 only. Fails with
// kUnsupported if no disassembler for the processor is linked.
[[nodiscard]] Result<std::vector<Instruction>> disassemble(const CodeKind& kind, Bytes code, uint64_t address,
                                                           Syntax syntax = Syntax::kAtt);

}  // namespace hm::symbol
