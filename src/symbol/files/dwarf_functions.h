// SPDX-License-Identifier: MIT
// Which function of a compilation unit, and which inlined into it, hold an address: DWARF 5, section 3.3.
#pragma once

#include <elfutils/libdw.h>

#include <optional>
#include <vector>

namespace hm::symbol {

// The functions of one compilation unit, found once: libdw's own dwarf_getscopes(3) walks the whole unit for
// each address.
class DwarfFunctions {
 public:
  // `unit`: the one in the program; `whole`: SplitUnits::whole() of it, whose entries are read.
  DwarfFunctions(Dwarf_Die unit, Dwarf_Die whole);

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
  template <typename F>
  void for_each_range(Dwarf_Die entry, F&& visit) const;
  [[nodiscard]] std::optional<Dwarf_Die> scope_inside(Dwarf_Die parent, Dwarf_Addr address) const;

  Dwarf_Die unit_;
  bool is_split_;
  std::vector<Range> ranges_;  // by begin
  size_t entries_ = 0;         // seen so far
};

}  // namespace hm::symbol
