// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "symbol/files/elf_module.h"

namespace hm::symbol {

// Every address in the object's executable segments that its data holds, or will once it is relocated
// (R_X86_64_RELATIVE): jump tables of whole pointers, computed gotos, tables of functions. In order, each
// once. Words that only look like one are among them.
[[nodiscard]] std::vector<uint64_t> read_code_pointers(const ElfModule& module);

}  // namespace hm::symbol
