// SPDX-License-Identifier: MIT
// The code of an object by the processor that it is for.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "symbol/code/disassembly.h"
#include "symbol/resolver.h"

namespace hm::symbol {

// Disassembles the bytes of a function, all of them. Fails if the code is not available, or with kUnsupported
// if the processor's code cannot be disassembled.
[[nodiscard]] Result<std::vector<Instruction>> instructions_of(const Object& object, uint64_t address,
                                                               uint64_t size, Syntax syntax = Syntax::kAtt);

// Disassembles the instruction at an address of a function's code, or the one that contains the address if
// all instructions of the processor have one size. Fails as instructions_of() does.
[[nodiscard]] Result<Instruction> instruction_at(const Object& object, uint64_t address);

// Like Object::code(), for analyses that decode x86-64 code: fails with kUnsupported for all other code.
[[nodiscard]] Result<Bytes> x86_64_code(const Object& object, uint64_t address, uint64_t size);

}  // namespace hm::symbol
