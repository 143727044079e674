// SPDX-License-Identifier: MIT
#include "symbol/types/data_type.h"

#include <dwarf.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "symbol/types/type_entries.h"

namespace hm::symbol {
namespace {

constexpr size_t kMaxAlternatives = 4;  // maximum number of union members in a path
constexpr size_t kMaxPathBytes = 1024;

// Walks from a type inwards to the innermost member at an offset.
class FieldWalk {
 public:
  FieldWalk(Dwarf_Die type, const TypeDefinitions* definitions, uint64_t offset, bool indices)
      : type_(type), definitions_(definitions), offset_(offset), with_indices_(indices) {
    while (is_array() && enter_array(field_.indices)) {
    }
    field_.offset = offset_;
    for (int depth = 0; depth < kMaxTypeDepth && field_.path.size() < kMaxPathBytes && step(); ++depth) {
    }
  }

  [[nodiscard]] TypeField field() && {
    if (!leaf_) return std::move(field_);
    field_.type = name_of_type(*leaf_, definitions_);
    if (field_.size == 0) field_.size = size_of(*leaf_, definitions_);
    return std::move(field_);
  }
  // Returns the type that begins at the offset.
  [[nodiscard]] std::optional<Dwarf_Die> leaf() const { return offset_ == 0 ? leaf_ : std::nullopt; }

 private:
  [[nodiscard]] std::optional<Dwarf_Die> stripped() const { return strip(type_, definitions_); }
  [[nodiscard]] bool is_array() const {
    std::optional<Dwarf_Die> type = stripped();
    return type && dwarf_tag(&*type) == DW_TAG_array_type;
  }

  // Returns false if the walk ends here.
  bool step() {
    leaf_ = type_;
    std::optional<Dwarf_Die> type = stripped();
    if (!type) return false;
    if (dwarf_tag(&*type) == DW_TAG_array_type) return enter_array(field_.path);
    return is_aggregate(*type) && enter_members(*type);
  }

  bool enter_array(std::string& text) {
    std::optional<Dwarf_Die> array = stripped();
    std::optional<Dwarf_Die> element = referenced_type(*array);
    uint64_t size = element ? size_of(*element, definitions_) : 0;
    if (size == 0 || ++arrays_ > kMaxTypeDepth) return false;
    std::vector<uint64_t> dimensions = dimensions_of(*array);
    if (dimensions.empty()) dimensions.push_back(0);
    uint64_t index = offset_ / size;
    std::string indices;
    for (size_t i = dimensions.size(); i-- > 0;) {
      bool outermost = i == 0 || dimensions[i] == 0;
      uint64_t own = outermost ? index : index % dimensions[i];
      index = outermost ? 0 : index / dimensions[i];
      indices.insert(0, with_indices_ ? fmt::format("[{}]", own) : "[]");
    }
    text += indices;
    offset_ %= size;
    type_ = leaf_.emplace(*element);
    return true;
  }

  bool enter_members(Dwarf_Die aggregate) {
    std::vector<MemberEntry> found;
    std::vector<MemberEntry> members = members_of(aggregate, definitions_);
    std::ranges::copy_if(members, std::back_inserter(found), [&](const MemberEntry& member) {
      return !member.is_base && member.covers(offset_);
    });
    if (found.empty()) {
      std::ranges::copy_if(members, std::back_inserter(found), [&](const MemberEntry& member) {
        return member.is_base && member.covers(offset_);
      });
      if (found.size() > 1) found.resize(1);  // drops an empty base class at the same offset
    }
    if (found.empty()) return end_between(members);
    return found.size() == 1 ? enter(found.front()) : end_at_several(found);
  }

  bool end_between(const std::vector<MemberEntry>& members) {
    leaf_.reset();
    if (!members.empty()) field_.path += ".[padding]";
    return false;
  }

  bool enter(const MemberEntry& member) {
    if (member.name != nullptr && !member.is_base) field_.path += fmt::format(".{}", member.name);
    offset_ -= member.offset;
    type_ = member.type;
    leaf_ = type_;
    if (member.bits == 0) return true;
    field_.size = member.size;
    return false;
  }

  // Ends at a union's members, or at bit fields in the same byte, and names the alternatives. Prefers a
  // pointer as the result's type, because it is the most likely one to be followed.
  bool end_at_several(const std::vector<MemberEntry>& members) {
    std::string names;
    size_t named = 0;
    for (const MemberEntry& member : members) {
      if (named++ == kMaxAlternatives) break;
      names += fmt::format("{}{}", names.empty() ? "" : "|", member.name == nullptr ? "..." : member.name);
    }
    field_.path += "." + names + (members.size() > kMaxAlternatives ? "|..." : "");
    auto pointer = std::ranges::find_if(members, [&](const MemberEntry& member) {
      std::optional<Dwarf_Die> type = strip(member.type, definitions_);
      return member.offset == offset_ && type && is_pointer(*type);
    });
    const MemberEntry& chosen = pointer == members.end() ? members.front() : *pointer;
    offset_ -= chosen.offset;
    leaf_ = chosen.type;
    field_.size = chosen.size;
    return false;
  }

  Dwarf_Die type_;
  const TypeDefinitions* definitions_;
  uint64_t offset_;
  bool with_indices_;
  int arrays_ = 0;
  TypeField field_;
  std::optional<Dwarf_Die> leaf_;
};

uint64_t wrapped(int64_t offset, uint64_t size) {
  if (size == 0 || size > INT64_MAX) return offset < 0 ? 0 : static_cast<uint64_t>(offset);
  auto length = static_cast<int64_t>(size);
  return static_cast<uint64_t>((offset % length + length) % length);
}

}  // namespace

std::optional<DataType> DataType::of(Dwarf_Die declaration, const TypeDefinitions* definitions) {
  std::optional<Dwarf_Die> type = referenced_type(declaration);
  return type ? std::optional(DataType(*type, definitions)) : std::nullopt;
}

DataType DataType::stripped() const {
  return DataType(strip(die_, definitions_).value_or(die_), definitions_);
}

// An unnamed type is shown under its typedef's name.
std::string DataType::name() const {
  Dwarf_Die type = stripped().die_;
  bool unnamed = is_aggregate(type) && own_name(type) == nullptr;
  return name_of_type(unnamed ? die_ : type, definitions_);
}

uint64_t DataType::size() const { return size_of(die_, definitions_); }

DataType DataType::element() const {
  Dwarf_Die type = die_;
  for (int depth = 0; depth < kMaxTypeDepth; ++depth) {
    std::optional<Dwarf_Die> array = strip(type, definitions_);
    if (!array || dwarf_tag(&*array) != DW_TAG_array_type) break;
    std::optional<Dwarf_Die> held = referenced_type(*array);
    if (!held) break;
    type = *held;
  }
  return DataType(type, definitions_);
}

std::optional<DataType> DataType::pointee() const {
  Dwarf_Die type = stripped().die_;
  std::optional<Dwarf_Die> target = is_pointer(type) ? referenced_type(type) : std::nullopt;
  if (!target || !strip(*target, definitions_)) return std::nullopt;
  return DataType(*target, definitions_);
}

bool DataType::is_raw_memory() const {
  std::optional<Dwarf_Die> type = strip(element().die_, definitions_);
  if (!type) return true;
  if (dwarf_tag(&*type) == DW_TAG_unspecified_type) return true;
  return dwarf_tag(&*type) == DW_TAG_base_type && size_of(*type, definitions_) == 1;
}

TypeField DataType::field_at(int64_t offset, bool indices) const {
  return FieldWalk(die_, definitions_, wrapped(offset, size()), indices).field();
}

std::optional<DataType> DataType::type_at(int64_t offset) const {
  std::optional<Dwarf_Die> leaf = FieldWalk(die_, definitions_, wrapped(offset, size()), false).leaf();
  return leaf ? std::optional(DataType(*leaf, definitions_)) : std::nullopt;
}

TypeLayout DataType::layout() const {
  TypeLayout layout;
  layout.name = name();
  layout.size = size();
  Dwarf_Die type = stripped().die_;
  if (!is_aggregate(type)) return layout;
  layout.is_union = dwarf_tag(&type) == DW_TAG_union_type;
  for (const MemberEntry& member : members_of(type, definitions_)) {
    std::string type_name = name_of_type(member.type, definitions_);
    layout.members.push_back({.name = member.is_base           ? type_name
                                      : member.name == nullptr ? std::string()
                                                               : member.name,
                              .type = type_name,
                              .offset = member.offset,
                              .size = member.size,
                              .bit_offset = member.bit_offset,
                              .bits = member.bits,
                              .is_base = member.is_base});
  }
  return layout;
}

}  // namespace hm::symbol
