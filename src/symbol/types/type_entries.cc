// SPDX-License-Identifier: MIT
#include "symbol/types/type_entries.h"

#include <dwarf.h>
#include <fmt/format.h>

#include <limits>

#include "symbol/files/dwarf_entries.h"

namespace hm::symbol {
namespace {

constexpr size_t kMaxMembers = 65536;
constexpr size_t kMaxDimensions = 16;
constexpr size_t kMaxNameBytes = 4096;

uint64_t multiply(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<uint64_t>::max() : product;
}

bool is_alias(int tag) {
  switch (tag) {
    case DW_TAG_typedef:
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type:
    case DW_TAG_immutable_type:
    case DW_TAG_packed_type:
    case DW_TAG_shared_type:
      return true;
    default:
      return false;
  }
}

// Returns a constant offset, or before DWARF 4 the operand of an expression that adds one. Returns nullopt if
// the offset depends on the object, as for a virtual base class.
std::optional<uint64_t> location_of(Dwarf_Die member) {
  Dwarf_Attribute attribute;
  if (dwarf_attr(&member, DW_AT_data_member_location, &attribute) == nullptr) return 0;
  Dwarf_Word value = 0;
  if (dwarf_formudata(&attribute, &value) == 0) return value;
  Dwarf_Op* expression = nullptr;
  size_t length = 0;
  if (dwarf_getlocation(&attribute, &expression, &length) != 0 || length != 1 ||
      expression->atom != DW_OP_plus_uconst)
    return std::nullopt;
  return expression->number;
}

void place_bits(Dwarf_Die entry, uint64_t bits, MemberEntry& member) {
  uint64_t first = multiply(member.offset, 8);
  if (std::optional<uint64_t> from_start = number_in(entry, DW_AT_data_bit_offset)) {
    first = *from_start;
  } else if (std::optional<uint64_t> from_top = number_in(entry, DW_AT_bit_offset)) {  // before DWARF 4
    uint64_t unit = number_in(entry, DW_AT_byte_size).value_or(member.size);
    first += multiply(unit, 8) - *from_top - bits;
  }
  member.offset = first / 8;
  member.bit_offset = static_cast<uint16_t>(first % 8);
  member.bits = static_cast<uint16_t>(bits);
  member.size = (member.bit_offset + bits + 7) / 8;
}

std::optional<MemberEntry> member_of(Dwarf_Die entry, const TypeDefinitions* definitions) {
  constexpr uint64_t kMaxBits = 1024;
  int tag = dwarf_tag(&entry);
  if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return std::nullopt;
  // Skips static members.
  if (has_flag(entry, DW_AT_declaration) || has_flag(entry, DW_AT_external)) return std::nullopt;
  std::optional<Dwarf_Die> type = referenced_type(entry);
  std::optional<uint64_t> offset = location_of(entry);
  if (!type || !offset) return std::nullopt;
  MemberEntry member{.type = *type, .name = own_name(entry), .offset = *offset};
  member.size = size_of(*type, definitions);
  member.is_base = tag == DW_TAG_inheritance;
  std::optional<uint64_t> bits = number_in(entry, DW_AT_bit_size);
  if (bits && *bits != 0 && *bits <= kMaxBits) place_bits(entry, *bits, member);
  std::optional<Dwarf_Die> stripped = strip(*type, definitions);
  member.open_ended = member.size == 0 && stripped && dwarf_tag(&*stripped) == DW_TAG_array_type;
  return member;
}

// Returns the description of a type in a unit of its own (DWARF 5, section 3.1.4), to which a declaration
// refers.
std::optional<Dwarf_Die> signed_type(Dwarf_Die entry) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_attr(&entry, DW_AT_signature, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, &type) == nullptr)
    return std::nullopt;
  return type;
}

bool is_c(Dwarf_Die entry) {
  Dwarf_Die unit;
  if (dwarf_diecu(&entry, &unit, nullptr, nullptr) == nullptr) return false;
  switch (dwarf_srclang(&unit)) {
    case DW_LANG_C:
    case DW_LANG_C89:
    case DW_LANG_C99:
    case DW_LANG_C11:
      return true;
    default:
      return false;
  }
}

std::string_view keyword(int tag) {
  return tag == DW_TAG_union_type ? "union" : tag == DW_TAG_enumeration_type ? "enum" : "struct";
}

std::string pointed_name(Dwarf_Die pointer, std::string_view mark, const TypeDefinitions* definitions,
                         int depth) {
  std::optional<Dwarf_Die> target = referenced_type(pointer);
  std::string name = target ? name_of_type(*target, definitions, depth + 1) : "void";
  return name + std::string(mark);
}

std::string array_name(Dwarf_Die array, const TypeDefinitions* definitions, int depth) {
  std::optional<Dwarf_Die> element = referenced_type(array);
  std::string name = element ? name_of_type(*element, definitions, depth + 1) : "void";
  for (uint64_t count : dimensions_of(array)) name += count == 0 ? "[]" : fmt::format("[{}]", count);
  return name;
}

std::string named_type(Dwarf_Die type, const TypeDefinitions* definitions) {
  if (std::optional<Dwarf_Die> signed_one = signed_type(type)) type = *signed_one;
  int tag = dwarf_tag(&type);
  bool aggregate = is_aggregate(type) || tag == DW_TAG_enumeration_type;
  const char* name = own_name(type);
  if (name == nullptr) return aggregate ? fmt::format("(anonymous {})", keyword(tag)) : "(unnamed)";
  if (aggregate && is_c(type)) return fmt::format("{} {}", keyword(tag), name);
  std::string scope(definitions == nullptr ? std::string_view() : definitions->scope_of(type));
  return scope + name;
}

}  // namespace

std::optional<Dwarf_Die> referenced_type(Dwarf_Die entry) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_attr_integrate(&entry, DW_AT_type, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, &type) == nullptr)
    return std::nullopt;
  return type;
}

std::optional<uint64_t> number_in(Dwarf_Die entry, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(&entry, name, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0)
    return std::nullopt;
  return value;
}

bool has_flag(Dwarf_Die entry, unsigned name) {
  Dwarf_Attribute attribute;
  bool value = false;
  return dwarf_attr(&entry, name, &attribute) != nullptr && dwarf_formflag(&attribute, &value) == 0 && value;
}

const char* own_name(Dwarf_Die entry) {
  Dwarf_Attribute attribute;
  const char* name = dwarf_formstring(dwarf_attr_integrate(&entry, DW_AT_name, &attribute));
  return name == nullptr || *name == '\0' ? nullptr : name;
}

bool is_aggregate(Dwarf_Die stripped) {
  int tag = dwarf_tag(&stripped);
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

bool is_pointer(Dwarf_Die stripped) {
  int tag = dwarf_tag(&stripped);
  return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
}

std::optional<Dwarf_Die> strip(Dwarf_Die type, const TypeDefinitions* definitions) {
  for (int depth = 0; depth < kMaxTypeDepth; ++depth) {
    if (!is_alias(dwarf_tag(&type))) {
      if (std::optional<Dwarf_Die> signed_one = signed_type(type)) {
        type = *signed_one;
        continue;
      }
      if (definitions == nullptr || !has_flag(type, DW_AT_declaration)) return type;
      return definitions->definition_of(type).value_or(type);
    }
    std::optional<Dwarf_Die> next = referenced_type(type);
    if (!next) return std::nullopt;
    type = *next;
  }
  return std::nullopt;
}

uint64_t size_of(Dwarf_Die type, const TypeDefinitions* definitions, int depth) {
  std::optional<Dwarf_Die> stripped = strip(type, definitions);
  if (!stripped || depth > kMaxTypeDepth) return 0;
  if (std::optional<uint64_t> size = number_in(*stripped, DW_AT_byte_size)) return *size;
  if (is_pointer(*stripped)) return sizeof(uint64_t);
  std::optional<Dwarf_Die> inner = referenced_type(*stripped);
  if (!inner) return 0;
  if (dwarf_tag(&*stripped) == DW_TAG_enumeration_type) return size_of(*inner, definitions, depth + 1);
  if (dwarf_tag(&*stripped) != DW_TAG_array_type) return 0;
  uint64_t size = size_of(*inner, definitions, depth + 1);
  for (uint64_t count : dimensions_of(*stripped)) size = multiply(size, count);
  return size;
}

std::vector<uint64_t> dimensions_of(Dwarf_Die array) {
  std::vector<uint64_t> dimensions;
  for_each_child(
      array,
      [&](Dwarf_Die child) {
        if (dwarf_tag(&child) != DW_TAG_subrange_type || dimensions.size() == kMaxDimensions) return;
        std::optional<uint64_t> count = number_in(child, DW_AT_count);
        if (!count) {
          std::optional<uint64_t> last = number_in(child, DW_AT_upper_bound);
          count = last ? *last + 1 : 0;
        }
        dimensions.push_back(*count);
      },
      kMaxMembers);
  return dimensions;
}

std::vector<MemberEntry> members_of(Dwarf_Die aggregate, const TypeDefinitions* definitions) {
  std::vector<MemberEntry> members;
  for_each_child(
      aggregate,
      [&](Dwarf_Die child) {
        if (std::optional<MemberEntry> member = member_of(child, definitions)) members.push_back(*member);
      },
      kMaxMembers);
  return members;
}

std::string name_of_type(Dwarf_Die type, const TypeDefinitions* definitions, int depth) {
  std::string name;
  std::optional<Dwarf_Die> inner;
  int tag = dwarf_tag(&type);
  if (depth > kMaxTypeDepth) return "...";
  switch (tag) {
    case DW_TAG_pointer_type:
      return pointed_name(type, "*", definitions, depth);
    case DW_TAG_reference_type:
      return pointed_name(type, "&", definitions, depth);
    case DW_TAG_rvalue_reference_type:
      return pointed_name(type, "&&", definitions, depth);
    case DW_TAG_array_type:
      name = array_name(type, definitions, depth);
      break;
    case DW_TAG_subroutine_type:
      return "function";
    default:
      inner = is_alias(tag) && tag != DW_TAG_typedef ? referenced_type(type) : std::nullopt;
      if (is_alias(tag) && tag != DW_TAG_typedef)
        name = inner ? name_of_type(*inner, definitions, depth + 1) : "void";
      else
        name = named_type(type, definitions);
  }
  if (name.size() > kMaxNameBytes) name.resize(kMaxNameBytes);
  return name;
}

}  // namespace hm::symbol
