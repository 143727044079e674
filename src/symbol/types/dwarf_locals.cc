// SPDX-License-Identifier: MIT
#include "symbol/types/dwarf_locals.h"

#include <dwarf.h>

#include <algorithm>
#include <tuple>

#include "symbol/files/dwarf_entries.h"
#include "symbol/types/type_entries.h"

namespace hm::symbol {
namespace {

constexpr int kMaxLocalsDepth = 64;
constexpr size_t kMaxVariables = 16384;
constexpr size_t kMaxPlaces = 65536;
constexpr size_t kMaxSpans = 256;

struct RegisterPlace {
  uint8_t number;
  int64_t offset;
  bool is_value;  // the value itself, not its address in memory
};

// Decodes locations such as DW_OP_breg3 -8; with DW_OP_stack_value, the result is a value, not an address.
std::optional<RegisterPlace> register_place(const Dwarf_Op* expression, size_t length) {
  const Dwarf_Op& first = expression[0];
  bool is_value = length == 2 && expression[1].atom == DW_OP_stack_value;
  if (length > 2 || (length == 2 && !is_value)) return std::nullopt;
  if (length == 1 && first.atom >= DW_OP_reg0 && first.atom <= DW_OP_reg31)
    return RegisterPlace{register_of_dwarf(first.atom - DW_OP_reg0), 0, true};
  if (length == 1 && first.atom == DW_OP_regx) return RegisterPlace{register_of_dwarf(first.number), 0, true};
  if (first.atom >= DW_OP_breg0 && first.atom <= DW_OP_breg31) {
    return RegisterPlace{register_of_dwarf(first.atom - DW_OP_breg0), static_cast<int64_t>(first.number),
                         is_value};
  }
  return std::nullopt;
}

}  // namespace

DwarfLocals::DwarfLocals(const DwarfIndex& index, Dwarf_Die function) : index_(index) {
  Dwarf_Attribute attribute;
  Dwarf_Op* expression = nullptr;
  size_t length = 0;
  if (dwarf_attr_integrate(&function, DW_AT_frame_base, &attribute) != nullptr &&
      dwarf_getlocation(&attribute, &expression, &length) == 0 && length == 1 &&
      expression->atom != DW_OP_call_frame_cfa) {
    std::optional<RegisterPlace> base = register_place(expression, length);
    if (base) frame_base_ = {base->number, base->offset};
  }
  collect(function, spans_of(function), 0);
  std::ranges::sort(places_, [](const VariableLocation& a, const VariableLocation& b) {
    return std::tie(a.kind, a.base, a.begin, a.variable) < std::tie(b.kind, b.base, b.begin, b.variable);
  });
  for (const VariableLocation& place : places_) longest_ = std::max(longest_, place.end - place.begin);
}

std::vector<DwarfLocals::Span> DwarfLocals::spans_of(Dwarf_Die entry) const {
  std::vector<Span> spans;
  Dwarf_Addr base = 0, begin = 0, end = 0;
  for (ptrdiff_t at = 0;
       (at = dwarf_ranges(&entry, at, &base, &begin, &end)) > 0 && spans.size() < kMaxSpans;)
    if (begin < end) spans.push_back({begin + index_.bias(), end + index_.bias()});
  return spans;
}

void DwarfLocals::collect(Dwarf_Die parent, const std::vector<Span>& scope, int depth) {
  if (depth == kMaxLocalsDepth) return;
  Dwarf_Die child;
  for (int status = dwarf_child(&parent, &child); status == 0; status = dwarf_siblingof(&child, &child)) {
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
      if (variables_.size() == kMaxVariables) return;
      take(child, scope);
    } else if (is_scope(tag)) {
      std::vector<Span> own = spans_of(child);
      collect(child, own.empty() ? scope : own, depth + 1);
    }
  }
}

void DwarfLocals::take(Dwarf_Die entry, const std::vector<Span>& scope) {
  Dwarf_Attribute attribute, name_attribute;
  std::optional<DataType> type = DataType::of(entry, &index_);
  if (!type || dwarf_attr(&entry, DW_AT_location, &attribute) == nullptr) return;
  const char* name = dwarf_formstring(dwarf_attr_integrate(&entry, DW_AT_name, &name_attribute));
  variables_.push_back({name == nullptr ? "(unnamed)" : name, *type});
  auto variable = static_cast<uint32_t>(variables_.size() - 1);
  Dwarf_Addr base = 0, begin = 0, end = 0;
  Dwarf_Op* expression = nullptr;
  size_t length = 0;
  for (ptrdiff_t at = 0;
       (at = dwarf_getlocations(&attribute, at, &base, &begin, &end, &expression, &length)) > 0 &&
       places_.size() < kMaxPlaces;) {
    if (length == 0) continue;
    bool always = begin == 0 && end == UINT64_MAX;
    if (always)
      add(expression, length, scope, variable);
    else if (begin < end)
      add(expression, length, {{begin + index_.bias(), end + index_.bias()}}, variable);
  }
}

void DwarfLocals::add(const Dwarf_Op* expression, size_t length, const std::vector<Span>& spans,
                      uint32_t variable) {
  VariableLocation place{0, 0, Kind::kMemory, frame_base_.base, variable, 0};
  if (length == 1 && expression->atom == DW_OP_fbreg) {
    place.offset = frame_base_.offset + static_cast<int64_t>(expression->number);
  } else if (std::optional<RegisterPlace> found = register_place(expression, length);
             found && found->number != kNoRegister) {
    place.kind = found->is_value ? Kind::kRegister : Kind::kMemory;
    place.base = found->number;
    place.offset = found->offset;
  } else {
    return;
  }
  for (const Span& span : spans) {
    place.begin = span.begin;
    place.end = span.end;
    if (places_.size() < kMaxPlaces) places_.push_back(place);
  }
}

std::optional<DwarfLocals::Found> DwarfLocals::in_memory(uint64_t address, const Memory& wanted) const {
  constexpr size_t kMaxLooks = 4096;
  size_t looks = 0;
  auto first = std::ranges::lower_bound(
      places_, std::tuple(Kind::kMemory, wanted.base), {},
      [](const VariableLocation& place) { return std::tuple(place.kind, place.base); });
  for (auto place = first; place != places_.end() && place->kind == Kind::kMemory &&
                           place->base == wanted.base && place->begin <= address && ++looks < kMaxLooks;
       ++place) {
    if (place->end <= address) continue;
    const LocalVariable& variable = variables_[place->variable];
    int64_t inside = wanted.offset - place->offset;
    if (inside >= 0 && static_cast<uint64_t>(inside) < variable.type.size()) return Found{&variable, inside};
  }
  return std::nullopt;
}

std::optional<DwarfLocals::Found> DwarfLocals::in_register(uint64_t address, uint8_t number) const {
  constexpr size_t kMaxLooks = 256;
  size_t looks = 0;
  auto after = std::ranges::upper_bound(
      places_, std::tuple(Kind::kRegister, number, address), {},
      [](const VariableLocation& place) { return std::tuple(place.kind, place.base, place.begin); });
  while (after != places_.begin() && ++looks < kMaxLooks) {
    const VariableLocation& place = *--after;
    if (place.kind != Kind::kRegister || place.base != number || address - place.begin > longest_) break;
    if (address < place.end) return Found{&variables_[place.variable], -place.offset};
  }
  return std::nullopt;
}

}  // namespace hm::symbol
