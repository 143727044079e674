// SPDX-License-Identifier: MIT
#pragma once

#include "symbol/files/elf_module.h"
#include "symbol/files/frame_extents.h"
#include "symbol/files/symbol_table.h"

namespace hm::symbol {

// The data symbols (STT_OBJECT) of the same tables, but those of thread-local variables.
[[nodiscard]] SymbolTable read_elf_data_symbols(const ElfModule& module);

// The code symbols of .symtab (of the debug file, where there is one), else of .dynsym and .gnu_debugdata,
// and the PLT stubs as name@plt. Addresses are the ELF file's own. A symbol without size reaches to the end
// of its section or of the function that the unwind tables (`extents`) have there, if no symbol comes before.
[[nodiscard]] SymbolTable read_elf_symbols(const ElfModule& module, const FrameExtents& extents);

}  // namespace hm::symbol
