// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "symbol/code/decoder.h"

namespace hm::symbol {

// What objdump calls it: with the prefixes that it shows, the suffix for the size where no register says it,
// and the predicate of a comparison instead of an operand: "lock cmpxchg", "movl", "cmpltss".
[[nodiscard]] std::string att_mnemonic(const DecodedInstruction& instruction);

// Whether the mnemonic says what the last explicit operand, a number, says.
[[nodiscard]] bool names_predicate(const DecodedInstruction& instruction);

[[nodiscard]] bool is_string_operation(const DecodedInstruction& instruction);

}  // namespace hm::symbol
