// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "symbol/files/dwarf_functions.h"
#include "symbol/files/elf_module.h"
#include "symbol/files/frame.h"
#include "symbol/files/function_names.h"

namespace hm::symbol {

// Returns the source line of the instruction at `address`, that of the innermost frame. Much cheaper than
// computing all frames.
[[nodiscard]] SourceLine dwarf_line(const ElfModule& module, uint64_t address);

// Returns the source file that was compiled to the code at `address`, with its folder; empty if unknown.
[[nodiscard]] std::string dwarf_unit_file(const ElfModule& module, uint64_t address);

// Calls `visit` with the demangled name of each function that was inlined at least once. Walks all of the
// debug information.
void visit_inlined_functions(const ElfModule& module, const std::function<void(const std::string&)>& visit);

class DwarfFrames {
 public:
  // Returns the frames at `address` (in the ELF file) from DWARF, innermost first; empty without debug
  // information for it. `module` must be the same in all calls, because its data is cached.
  [[nodiscard]] std::vector<Frame> at(const ElfModule& module, uint64_t address);

  // Returns the last component of the name of a Rust function with its type arguments, "walk<u64>"; empty for
  // other functions. `module` as above.
  [[nodiscard]] std::string instance_name(const ElfModule& module, uint64_t address);

 private:
  [[nodiscard]] const DwarfFunctions& functions_of(Dwarf_Die* unit, Dwarf_Die whole);

  std::unordered_map<const void*, DwarfFunctions> units_;  // keyed by the address of the unit's DIE
  FunctionNames names_;
};

}  // namespace hm::symbol
