// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "symbol/files/dwarf_functions.h"
#include "symbol/files/elf_module.h"
#include "symbol/files/frame.h"

namespace hm::symbol {

// The line that the instruction at `address` came from: that of the innermost frame. Much cheaper than all
// frames.
[[nodiscard]] SourceLine dwarf_line(const ElfModule& module, uint64_t address);

// Calls `visit` with the demangled name of each function that was inlined somewhere. Walks all of the debug
// information.
void visit_inlined_functions(const ElfModule& module, const std::function<void(const std::string&)>& visit);

class DwarfFrames {
 public:
  // Innermost first, as DWARF tells; empty where there is no debug information for the address (an ELF file's
  // own). `module` must be the same each time: what was read of it is kept.
  [[nodiscard]] std::vector<Frame> at(const ElfModule& module, uint64_t address);

 private:
  std::unordered_map<const void*, DwarfFunctions> units_;  // by where the unit's DIE is
};

}  // namespace hm::symbol
