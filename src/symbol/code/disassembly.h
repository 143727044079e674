// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "symbol/code/instruction.h"
#include "symbol/files/machine.h"

namespace hm::symbol {

enum class Syntax { kAtt, kIntel };

// Disassembles x86-64 code that runs at `address`, all of its bytes.
[[nodiscard]] std::vector<Instruction> disassemble(Bytes code, uint64_t address,
                                                   Syntax syntax = Syntax::kAtt);

// Disassembles code of any processor, as far as `kind` is valid. `syntax` applies to x86 only. Fails with
// kUnsupported if no disassembler for the processor is linked.
[[nodiscard]] Result<std::vector<Instruction>> disassemble(const CodeKind& kind, Bytes code, uint64_t address,
                                                           Syntax syntax = Syntax::kAtt);

}  // namespace hm::symbol
