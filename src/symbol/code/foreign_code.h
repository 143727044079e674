// SPDX-License-Identifier: MIT
// Disassembles the code of processors other than x86 through Capstone.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "symbol/code/instruction.h"
#include "symbol/files/machine.h"

namespace hm::symbol {

// Fails with kUnsupported if Capstone cannot disassemble code of this machine.
[[nodiscard]] Result<std::vector<Instruction>> disassemble_foreign(const CodeKind& kind, Bytes code,
                                                                   uint64_t address);

}  // namespace hm::symbol
