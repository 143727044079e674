// SPDX-License-Identifier: MIT
// Which function of a compilation unit, and which inlined into it, hold an address: DWARF 5, section 3.3.
#pragma once

#include <elfutils/libdw.h>

#include <vector>

namespace hm::symbol {

// The functions of one compilation unit, found once: libdw's own dwarf_getscopes(3) walks the whole unit for
// each address.
class DwarfFunctions {
 public:
  explicit DwarfFunctions(Dwarf_Die unit);

  // Innermost first: those that the compiler inlined there (DW_TAG_inlined_subroutine), and last the real one
  // (DW_TAG_subprogram); empty where none holds the address.
  [[nodiscard]] std::vector<Dwarf_Die> at(Dwarf_Addr address) const;

 private:
  struct Range {
    Dwarf_Addr begin;
    Dwarf_Addr end;
    Dwarf_Addr max_end;  // of this range and those before
    Dwarf_Die function;
  };

  void collect(Dwarf_Die parent, int depth);
  void add_ranges(Dwarf_Die function);

  std::vector<Range> ranges_;  // by begin
  size_t entries_ = 0;         // seen so far
};

}  // namespace hm::symbol
