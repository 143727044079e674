// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbol/dwarf_functions.h"
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

class DwarfFrames {
 public:
  // Innermost first, as DWARF tells; empty where there is no debug information for the address (an ELF file's
  // own). `module` must be the same each time: what was read of it is kept.
  [[nodiscard]] std::vector<Frame> at(const ElfModule& module, uint64_t address);

 private:
  std::unordered_map<const void*, DwarfFunctions> units_;  // by where the unit's DIE is
};

}  // namespace hm::symbol
