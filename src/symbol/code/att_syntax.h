// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "symbol/code/decoder.h"

namespace hm::symbol {

// Returns the instruction in AT&T syntax, as objdump -d of GNU binutils 2.40 prints it but without symbol
// names: "mov    0x8(%rdi),%rax".
[[nodiscard]] std::string att_text(const DecodedInstruction& instruction);

// Returns the data address of a %rip-relative operand; nullopt if there is none.
[[nodiscard]] std::optional<uint64_t> named_address(const DecodedInstruction& instruction);

}  // namespace hm::symbol
