// SPDX-License-Identifier: MIT
#include "symbol/types/dwarf_index.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <algorithm>

#include "symbol/files/split_units.h"
#include "symbol/types/type_entries.h"

namespace hm::symbol {
namespace {

// Limits on nesting and size; compilers do not exceed them.
constexpr int kMaxIndexDepth = 64;
constexpr size_t kMaxIndexEntries = size_t{1} << 25;
constexpr size_t kMaxKept = size_t{1} << 22;
constexpr size_t kMaxScopeBytes = 1024;
constexpr size_t kMaxRanges = 1024;

bool is_type(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
         tag == DW_TAG_enumeration_type;
}

bool holds_entries(int tag) {
  switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
    case DW_TAG_common_block:
      return true;
    default:
      return false;
  }
}

// Returns a fixed address, which all variables except local and thread-local ones have.
std::optional<uint64_t> fixed_address(Dwarf_Die variable) {
  Dwarf_Attribute attribute, address;
  Dwarf_Op* expression = nullptr;
  size_t length = 0;
  if (dwarf_attr(&variable, DW_AT_location, &attribute) == nullptr ||
      dwarf_getlocation(&attribute, &expression, &length) != 0 || length == 0 || length > 2)
    return std::nullopt;
  uint64_t added = 0;
  if (length == 2) {
    if (expression[1].atom != DW_OP_plus_uconst) return std::nullopt;
    added = expression[1].number;
  }
  if (expression[0].atom == DW_OP_addr) return expression[0].number + added;
  Dwarf_Addr value = 0;
  if ((expression[0].atom != DW_OP_addrx && expression[0].atom != DW_OP_GNU_addr_index) ||
      dwarf_getlocation_attr(&attribute, expression, &address) != 0 || dwarf_formaddr(&address, &value) != 0)
    return std::nullopt;
  return value + added;
}

}  // namespace

DwarfIndex::DwarfIndex(const ElfModule& module) {
  Dwarf_Addr bias = 0;
  Dwarf* dwarf = dwfl_module_getdwarf(module.module(), &bias);
  if (dwarf == nullptr) return;
  bias_ = bias - module.bias();
  Dwarf_CU* unit = nullptr;
  Dwarf_Die entry;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &entry, nullptr) == 0)
    walk(module.split_units().whole(entry), 0, 0);
  std::ranges::stable_sort(variables_, {}, &EntryRange::begin);
  std::ranges::stable_sort(functions_, {}, &EntryRange::begin);
}

void DwarfIndex::walk(Dwarf_Die parent, uint32_t scope, int depth) {
  if (depth == kMaxIndexDepth) return;
  Dwarf_Die child;
  for (int status = dwarf_child(&parent, &child); status == 0; status = dwarf_siblingof(&child, &child)) {
    if (++entries_ > kMaxIndexEntries) return;
    take(child, dwarf_tag(&child), scope, depth);
  }
}

void DwarfIndex::take(Dwarf_Die entry, int tag, uint32_t scope, int depth) {
  if (tag == DW_TAG_variable) return take_variable(entry);
  if (is_type(tag)) take_type(entry, scope);
  if (tag == DW_TAG_subprogram) take_function(entry);
  bool namespaces = tag == DW_TAG_namespace;
  if (!holds_entries(tag) || (!namespaces && has_flag(entry, DW_AT_declaration))) return;
  bool names = tag == DW_TAG_namespace || tag == DW_TAG_module || is_type(tag);
  walk(entry, names ? scope_within(scope, entry) : scope, depth + 1);
}

// Returns the number of the scope of `entry`'s members; reuses the last scope if it has the same name.
uint32_t DwarfIndex::scope_within(uint32_t scope, Dwarf_Die entry) {
  const char* name = own_name(entry);
  if (scopes_[scope].size() > kMaxScopeBytes || scopes_.size() >= kMaxKept) return scope;
  std::string text = scopes_[scope] + (name == nullptr ? "(anonymous)" : name) + "::";
  if (scopes_.back() == text) return static_cast<uint32_t>(scopes_.size() - 1);
  scopes_.push_back(std::move(text));
  return static_cast<uint32_t>(scopes_.size() - 1);
}

void DwarfIndex::take_type(Dwarf_Die entry, uint32_t scope) {
  if (definitions_.size() >= kMaxKept) return;
  if (scope != 0) scope_of_type_.try_emplace(entry.addr, scope);
  const char* name = own_name(entry);
  if (name != nullptr && !has_flag(entry, DW_AT_declaration))
    definitions_.try_emplace(scopes_[scope] + name, entry);
}

void DwarfIndex::take_variable(Dwarf_Die entry) {
  if (variables_.size() >= kMaxKept) return;
  std::optional<uint64_t> address = fixed_address(entry);
  if (address && *address != 0) variables_.push_back({*address + bias_, 0, entry});
}

void DwarfIndex::take_function(Dwarf_Die entry) {
  Dwarf_Addr base = 0, begin = 0, end = 0;
  size_t ranges = 0;
  for (ptrdiff_t at = 0; (at = dwarf_ranges(&entry, at, &base, &begin, &end)) > 0 && ranges < kMaxRanges;
       ++ranges) {
    if (begin < end && begin != 0 && functions_.size() < kMaxKept)
      functions_.push_back({begin + bias_, end + bias_, entry});
  }
}

std::optional<DwarfIndex::Variable> DwarfIndex::variable_at(uint64_t address) const {
  auto after = std::ranges::upper_bound(variables_, address, {}, &EntryRange::begin);
  if (after == variables_.begin()) return std::nullopt;
  const EntryRange& range = *std::prev(after);
  std::optional<DataType> type = DataType::of(range.entry, this);
  if (!type || address - range.begin >= type->size()) return std::nullopt;
  return Variable{range.begin, *type};
}

std::optional<Dwarf_Die> DwarfIndex::function_at(uint64_t address) const {
  auto after = std::ranges::upper_bound(functions_, address, {}, &EntryRange::begin);
  if (after == functions_.begin() || std::prev(after)->end <= address) return std::nullopt;
  return std::prev(after)->entry;
}

std::optional<Dwarf_Die> DwarfIndex::definition_of(Dwarf_Die declaration) const {
  const char* name = own_name(declaration);
  if (name == nullptr) return std::nullopt;
  auto found = definitions_.find(std::string(scope_of(declaration)) + name);
  return found == definitions_.end() ? std::nullopt : std::optional(found->second);
}

std::string_view DwarfIndex::scope_of(Dwarf_Die type) const {
  auto found = scope_of_type_.find(type.addr);
  return found == scope_of_type_.end() ? std::string_view() : scopes_[found->second];
}

}  // namespace hm::symbol
