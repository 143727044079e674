// SPDX-License-Identifier: MIT
// Uses DWARF 5, sections 3.3.8 (inlined functions) and 5.7 (members of classes), through libdw.
#include "symbol/files/function_names.h"

#include <dwarf.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "symbol/files/demangle.h"
#include "symbol/files/dwarf_entries.h"

namespace hm::symbol {
namespace {

// Limits on nesting and size; compilers do not exceed them.
constexpr int kMaxDepth = 256;
constexpr size_t kMaxEntries = size_t{1} << 24;
constexpr size_t kMaxScopeBytes = 4096, kMaxBytes = size_t{64} << 20;

std::string_view text_of(Dwarf_Die entry, unsigned name) {
  Dwarf_Attribute attribute;
  const char* text = dwarf_formstring(dwarf_attr_integrate(&entry, name, &attribute));
  return text == nullptr ? std::string_view() : std::string_view(text);
}

std::optional<Dwarf_Die> referred(Dwarf_Die entry, unsigned by) {
  Dwarf_Attribute attribute;
  Dwarf_Die target;
  if (dwarf_formref_die(dwarf_attr(&entry, by, &attribute), &target) == nullptr) return std::nullopt;
  return target;
}

// Returns the entry that declares the function in its class or namespace.
Dwarf_Die declaration_of(Dwarf_Die function) {
  for (unsigned by : {unsigned{DW_AT_abstract_origin}, unsigned{DW_AT_specification}}) {
    if (std::optional<Dwarf_Die> target = referred(function, by)) function = *target;
  }
  return function;
}

bool is_cxx(Dwarf_Die function) {
  Dwarf_Die unit;
  if (dwarf_diecu(&function, &unit, nullptr, nullptr) == nullptr) return false;
  constexpr std::array<int, 6> kCxx{DW_LANG_C_plus_plus,    DW_LANG_C_plus_plus_03, DW_LANG_C_plus_plus_11,
                                    DW_LANG_C_plus_plus_14, 0x2b /* C++17 */,       0x2c /* C++20 */};
  return std::ranges::find(kCxx, dwarf_srclang(&unit)) != kCxx.end();
}

constexpr std::string_view kCall = "operator()";

// Returns true for the class of a lambda, which has no name or, with GCC, "<lambda(int)>".
bool is_lambda(Dwarf_Die type) {
  std::string_view name = text_of(type, DW_AT_name);
  if (!name.empty() && !name.starts_with("<lambda")) return false;
  bool has_call = false;
  for_each_child(type, [&](Dwarf_Die member) {
    has_call = has_call || (dwarf_tag(&member) == DW_TAG_subprogram && text_of(member, DW_AT_name) == kCall);
  });
  return has_call;
}

}  // namespace

FunctionScopes::FunctionScopes(Dwarf_Die unit) : scopes_(1) { collect(unit, 0, 0); }

std::string_view FunctionScopes::of(Dwarf_Off declaration) const {
  auto found = declared_in_.find(declaration);
  return found == declared_in_.end() ? std::string_view() : std::string_view(scopes_[found->second]);
}

uint32_t FunctionScopes::add_scope(uint32_t parent, std::string_view name) {
  if (name.empty() || bytes_ > kMaxBytes || scopes_[parent].size() + name.size() > kMaxScopeBytes)
    return parent;
  bytes_ += scopes_[parent].size() + name.size();
  scopes_.push_back(scopes_[parent] + std::string(name) + "::");
  return static_cast<uint32_t>(scopes_.size() - 1);
}

// A function is a scope, too: of its lambdas and local classes.
void FunctionScopes::add_function(Dwarf_Die function, uint32_t scope, int depth) {
  auto declared = declared_in_.find(dwarf_dieoffset(&function));
  Dwarf_Die declaration = declaration_of(function);
  if (auto known = declared_in_.find(dwarf_dieoffset(&declaration)); known != declared_in_.end())
    scope = known->second;
  if (declared == declared_in_.end() && scope != 0) declared_in_.emplace(dwarf_dieoffset(&function), scope);
  if (dwarf_haschildren(&function) != 1) return;
  unsigned outer = std::exchange(lambdas_, 0);
  collect(function, add_scope(scope, text_of(function, DW_AT_name)), depth);
  lambdas_ = outer;
}

// The demangler calls the first lambda of a function "{lambda(int)#1}".
void FunctionScopes::add_class(Dwarf_Die type, uint32_t scope, int depth) {
  std::string name = is_lambda(type) ? "{lambda#" + std::to_string(++lambdas_) + "}"
                                     : std::string(text_of(type, DW_AT_name));
  collect(type, add_scope(scope, name), depth);
}

void FunctionScopes::collect(Dwarf_Die parent, uint32_t scope, int depth) {
  if (depth == kMaxDepth) return;
  for_each_child(parent, [&](Dwarf_Die child) {
    if (++entries_ > kMaxEntries) return;
    switch (dwarf_tag(&child)) {
      case DW_TAG_namespace: {
        std::string_view name = text_of(child, DW_AT_name);
        return collect(child, add_scope(scope, name.empty() ? "(anonymous namespace)" : name), depth + 1);
      }
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
      case DW_TAG_union_type:
        return add_class(child, scope, depth + 1);
      case DW_TAG_subprogram:
        return add_function(child, scope, depth + 1);
      case DW_TAG_lexical_block:
        return collect(child, scope, depth + 1);
      default:
        return;
    }
  });
}

std::string FunctionNames::of(Dwarf_Die* function) {
  for (unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    if (std::string_view text = text_of(*function, name); !text.empty()) return demangle(text);
  }
  std::string_view name = text_of(*function, DW_AT_name);
  if (name.empty() || !is_cxx(*function)) return std::string(name);
  Dwarf_Die declaration = declaration_of(*function), unit;
  if (dwarf_diecu(&declaration, &unit, nullptr, nullptr) == nullptr) return std::string(name);
  const FunctionScopes& scopes = units_.try_emplace(unit.addr, unit).first->second;
  return std::string(scopes.of(dwarf_dieoffset(&declaration))) + std::string(name);
}

}  // namespace hm::symbol
