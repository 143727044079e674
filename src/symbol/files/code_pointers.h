// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "symbol/files/elf_module.h"

namespace hm::symbol {

// Returns every address in the object's executable segments that its data holds before or after relocation
// (R_X86_64_RELATIVE): jump tables of whole pointers, computed gotos, tables of functions. The result is
// sorted without duplicates; it may include words that only look like addresses.
[[nodiscard]] std::vector<uint64_t> read_code_pointers(const ElfModule& module);

}  // namespace hm::symbol
