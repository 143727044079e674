// SPDX-License-Identifier: MIT
// Finds the function of a compilation unit, and the functions inlined into it, at an address: DWARF 5,
// section 3.3.
#pragma once

#include <elfutils/libdw.h>

#include <optional>
#include <vector>

namespace hm::symbol {

// Index of the functions of one compilation unit. libdw's own dwarf_getscopes(3) walks the whole unit for
// each address.
class DwarfFunctions {
 public:
  // `unit` is the unit in the program; `whole` is SplitUnits::whole() of it, with the entries to read.
  DwarfFunctions(Dwarf_Die unit, Dwarf_Die whole);

  // Returns the functions at the address, innermost first: the inlined functions (DW_TAG_inlined_subroutine),
  // and last the function itself (DW_TAG_subprogram). Empty if there is none.
  [[nodiscard]] std::vector<Dwarf_Die> at(Dwarf_Addr address) const;

 private:
  struct Range {
    Dwarf_Addr begin;
    Dwarf_Addr end;
    Dwarf_Addr max_end;  // maximum end of this range and all ranges before it
    Dwarf_Die function;
  };

  void collect(Dwarf_Die parent, int depth);
  template <typename F>
  void for_each_range(Dwarf_Die entry, F&& visit) const;
  [[nodiscard]] std::optional<Dwarf_Die> scope_inside(Dwarf_Die parent, Dwarf_Addr address) const;

  Dwarf_Die unit_;
  bool is_split_;
  std::vector<Range> ranges_;  // sorted by begin
  size_t entries_ = 0;         // visited so far
};

}  // namespace hm::symbol
