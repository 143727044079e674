// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "symbol/elf_module.h"

namespace hm::symbol {

// One function that holds an address: the real one, or one that the compiler inlined into it.
struct Frame {
  std::string function;  // demangled; empty where the debug information does not say
  std::string file;      // empty: not known
  uint32_t line = 0;     // 1-based; 0: not known
  bool inlined = false;
};

struct SourceLine {
  std::string file;   // empty: not known
  uint32_t line = 0;  // 1-based; 0: not known
};

// The line that the instruction at `address` came from: that of the innermost frame. Much cheaper than all
// frames.
[[nodiscard]] SourceLine dwarf_line(const ElfModule& module, uint64_t address);

// Innermost first, as DWARF tells; empty where there is no debug information for the address (an ELF file's
// own).
[[nodiscard]] std::vector<Frame> dwarf_frames(const ElfModule& module, uint64_t address);

}  // namespace hm::symbol
