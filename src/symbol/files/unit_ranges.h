// SPDX-License-Identifier: MIT
#pragma once

#include <elfutils/libdw.h>

#include <optional>
#include <vector>

struct Dwfl_Module;

namespace hm::symbol {

// An address in the debug information, and the compilation unit that contains it.
struct UnitAddress {
  Dwarf_Die* unit;
  Dwarf_Addr address;
};

// The compilation units of a module by address. libdw finds units by .debug_aranges only, which Clang does
// not write; units without it are found by the ranges of their entries. Not thread-safe.
class UnitRanges {
 public:
  explicit UnitRanges(Dwfl_Module* module) : module_(module) {}

  // `address` includes the module's bias. Returns nullopt if no unit covers it. The unit stays valid for the
  // lifetime of this object.
  [[nodiscard]] std::optional<UnitAddress> at(Dwarf_Addr address);

 private:
  struct Range {
    Dwarf_Addr begin;
    Dwarf_Addr end;
    size_t unit;  // index into units_
  };

  void read();
  void add_unit(Dwarf_Die unit);

  Dwfl_Module* module_;
  bool is_read_ = false;
  std::vector<Dwarf_Die> units_;
  std::vector<Range> ranges_;  // sorted by start
};

}  // namespace hm::symbol
