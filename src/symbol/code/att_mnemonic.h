// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "symbol/code/decoder.h"

namespace hm::symbol {

// Returns objdump's mnemonic: with the prefixes that it shows, a size suffix if no register implies the size,
// and the predicate of a comparison instead of an operand: "lock cmpxchg", "movl", "cmpltss".
[[nodiscard]] std::string att_mnemonic(const DecodedInstruction& instruction);

// Returns true if the mnemonic includes the predicate in the last explicit operand, an immediate.
[[nodiscard]] bool names_predicate(const DecodedInstruction& instruction);

[[nodiscard]] bool is_string_operation(const DecodedInstruction& instruction);

}  // namespace hm::symbol
