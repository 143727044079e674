// SPDX-License-Identifier: MIT
#include "symbol/files/unit_ranges.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <algorithm>
#include <iterator>

namespace hm::symbol {
namespace {

// Limits on a damaged file; real programs have fewer.
constexpr size_t kMaxUnits = size_t{1} << 20;
constexpr size_t kMaxUnitRanges = size_t{1} << 22;

}  // namespace

std::optional<UnitAddress> UnitRanges::at(Dwarf_Addr address) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* listed = dwfl_module_addrdie(module_, address, &bias);
  // For an address in a gap, libdwfl returns the unit before the gap.
  if (listed != nullptr && dwarf_haspc(listed, address - bias) == 1)
    return UnitAddress{listed, address - bias};
  if (!is_read_) read();
  if (dwfl_module_getdwarf(module_, &bias) == nullptr) return std::nullopt;
  Dwarf_Addr inside = address - bias;
  auto after = std::ranges::upper_bound(ranges_, inside, {}, &Range::begin);
  if (after == ranges_.begin() || std::prev(after)->end <= inside) return std::nullopt;
  return UnitAddress{&units_[std::prev(after)->unit], inside};
}

void UnitRanges::read() {
  is_read_ = true;
  Dwarf_Addr bias = 0;
  Dwarf* dwarf = dwfl_module_getdwarf(module_, &bias);
  if (dwarf == nullptr) return;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die entry;
  while (units_.size() < kMaxUnits &&
         dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &entry, nullptr) == 0)
    add_unit(entry);
  std::ranges::stable_sort(ranges_, {}, &Range::begin);
}

void UnitRanges::add_unit(Dwarf_Die unit) {
  units_.push_back(unit);
  Dwarf_Addr base = 0, begin = 0, end = 0;
  for (ptrdiff_t at = 0;
       ranges_.size() < kMaxUnitRanges && (at = dwarf_ranges(&unit, at, &base, &begin, &end)) > 0;) {
    // Linkers set the ranges of code that they removed to 0.
    if (begin != 0 && begin < end) ranges_.push_back({begin, end, units_.size() - 1});
  }
}

}  // namespace hm::symbol
