// SPDX-License-Identifier: MIT
#pragma once

#include "symbol/elf_module.h"
#include "symbol/symbol_table.h"

namespace hm::symbol {

// The code symbols of .symtab (of the debug file, where there is one), else of .dynsym and .gnu_debugdata,
// and the PLT stubs as name@plt. Addresses are the ELF file's own.
[[nodiscard]] SymbolTable read_elf_symbols(const ElfModule& module);

}  // namespace hm::symbol
