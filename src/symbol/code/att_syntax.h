// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "symbol/code/decoder.h"

namespace hm::symbol {

// In AT&T syntax, as objdump -d of GNU binutils 2.40 writes it, but for names behind addresses:
// "mov    0x8(%rdi),%rax".
[[nodiscard]] std::string att_text(const DecodedInstruction& instruction);

// The address of data that it names relative to itself; nullopt where it names none.
[[nodiscard]] std::optional<uint64_t> named_address(const DecodedInstruction& instruction);

}  // namespace hm::symbol
