// SPDX-License-Identifier: MIT
#pragma once

#include "symbol/elf_module.h"
#include "symbol/symbol_table.h"

namespace hm::symbol {

// The data symbols (STT_OBJECT) of the same tables, but those of thread-local variables.
[[nodiscard]] SymbolTable read_elf_data_symbols(const ElfModule& module);

// The code symbols of .symtab (of the debug file, where there is one), else of .dynsym and .gnu_debugdata,
// and the PLT stubs as name@plt. Addresses are the ELF file's own.
[[nodiscard]] SymbolTable read_elf_symbols(const ElfModule& module);

}  // namespace hm::symbol
