// SPDX-License-Identifier: MIT
#include "symbol/files/dwarf_functions.h"

#include <dwarf.h>

#include <algorithm>
#include <optional>

#include "symbol/files/dwarf_entries.h"

namespace hm::symbol {
namespace {

// Limits on nesting and size; compilers do not exceed them.
constexpr int kMaxScopeDepth = 256;
constexpr size_t kMaxFunctionEntries = size_t{1} << 24;

// Returns true for entries that may contain functions, including types declared in a function.
bool may_hold_functions(int tag) {
  switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_common_block:
      return true;
    default:
      return false;
  }
}

}  // namespace

DwarfFunctions::DwarfFunctions(Dwarf_Die unit, Dwarf_Die whole)
    : unit_(unit), is_split_(whole.cu != unit.cu) {
  collect(whole, 0);
  std::ranges::stable_sort(ranges_, {}, &Range::begin);
  Dwarf_Addr max_end = 0;
  for (Range& range : ranges_) range.max_end = max_end = std::max(max_end, range.end);
}

void DwarfFunctions::collect(Dwarf_Die parent, int depth) {
  if (depth == kMaxScopeDepth) return;
  for_each_child(parent, [&](Dwarf_Die child) {
    if (++entries_ > kMaxFunctionEntries) return;
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram) {
      for_each_range(child, [&](Dwarf_Addr begin, Dwarf_Addr end) {
        ranges_.push_back({begin, end, 0, child});
      });
    }
    if (may_hold_functions(tag)) collect(child, depth + 1);
  });
}

// The ranges of a split unit are relative to an address that only the unit in the program has. No code of the
// unit lies before that address.
template <typename F>
void DwarfFunctions::for_each_range(Dwarf_Die entry, F&& visit) const {
  Dwarf_Addr base = 0, begin = 0, end = 0;
  for (ptrdiff_t at = 0; (at = dwarf_ranges(&entry, at, &base, &begin, &end)) > 0;) {
    Dwarf_Addr low = 0;
    Dwarf_Die unit = unit_;
    bool counts_from_unit = is_split_ && dwarf_haspc(&unit, begin) != 1 && dwarf_lowpc(&unit, &low) == 0;
    Dwarf_Addr added = counts_from_unit ? low : 0;
    visit(begin + added, end + added);
  }
}

std::optional<Dwarf_Die> DwarfFunctions::scope_inside(Dwarf_Die parent, Dwarf_Addr address) const {
  std::optional<Dwarf_Die> found;
  for_each_child(parent, [&](Dwarf_Die child) {
    if (found || !is_scope(dwarf_tag(&child))) return;
    for_each_range(child, [&](Dwarf_Addr begin, Dwarf_Addr end) {
      if (begin <= address && address < end) found = child;
    });
  });
  return found;
}

std::vector<Dwarf_Die> DwarfFunctions::at(Dwarf_Addr address) const {
  auto range = std::ranges::upper_bound(ranges_, address, {}, &Range::begin);
  while (range != ranges_.begin() && std::prev(range)->max_end > address && std::prev(range)->end <= address)
    --range;
  if (range == ranges_.begin() || std::prev(range)->end <= address) return {};
  std::vector<Dwarf_Die> chain;
  std::optional<Dwarf_Die> scope = std::prev(range)->function;
  for (int depth = 0; scope && depth < kMaxScopeDepth; ++depth) {
    int tag = dwarf_tag(&*scope);
    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) chain.push_back(*scope);
    scope = scope_inside(*scope, address);
  }
  std::ranges::reverse(chain);
  return chain;
}

}  // namespace hm::symbol
