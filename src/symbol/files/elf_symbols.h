// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "symbol/files/elf_module.h"
#include "symbol/files/frame_extents.h"
#include "symbol/files/symbol_table.h"

namespace hm::symbol {

// Returns the data symbols (STT_OBJECT) of the tables below, except thread-local variables.
[[nodiscard]] SymbolTable read_elf_data_symbols(const ElfModule& module);

// Returns the code symbols of .symtab (of the debug file, if there is one), else of .dynsym and
// .gnu_debugdata, and the PLT stubs as name@plt. Addresses are those in the ELF file. A symbol without a size
// extends to the next symbol, or to the end of its section or of its function in the unwind tables
// (`extents`).
[[nodiscard]] SymbolTable read_elf_symbols(const ElfModule& module, const FrameExtents& extents);

// Returns the source files (STT_FILE) of the local functions in .symtab, by the functions' addresses in the
// ELF file.
[[nodiscard]] std::map<uint64_t, std::string> read_elf_source_files(const ElfModule& module);

}  // namespace hm::symbol
