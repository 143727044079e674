// SPDX-License-Identifier: MIT
// Reads the debugging information entries of types (DWARF 5, chapter 5) with bounds. libdw's own
// dwarf_peel_type(3) and dwarf_aggregate_size(3) loop forever on a typedef of itself.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hm::symbol {

// Information on a type that is outside its own description.
class TypeDefinitions {
 public:
  virtual ~TypeDefinitions() = default;
  // Returns the definition of a type that is only declared.
  [[nodiscard]] virtual std::optional<Dwarf_Die> definition_of(Dwarf_Die declaration) const = 0;
  // Returns the scope, "ns::", of a type in a namespace or class.
  [[nodiscard]] virtual std::string_view scope_of(Dwarf_Die type) const = 0;
};

// Limit on nesting; compilers do not nest types deeper.
inline constexpr int kMaxTypeDepth = 64;

[[nodiscard]] std::optional<Dwarf_Die> referenced_type(Dwarf_Die entry);
[[nodiscard]] std::optional<uint64_t> number_in(Dwarf_Die entry, unsigned attribute);
[[nodiscard]] bool has_flag(Dwarf_Die entry, unsigned attribute);
[[nodiscard]] const char* own_name(Dwarf_Die entry);  // nullptr: no name

// Removes typedefs and qualifiers, and replaces a declaration by its definition if `definitions` has it.
// Returns nullopt for void and for endless chains.
[[nodiscard]] std::optional<Dwarf_Die> strip(Dwarf_Die type, const TypeDefinitions* definitions);
[[nodiscard]] bool is_aggregate(Dwarf_Die stripped);
[[nodiscard]] bool is_pointer(Dwarf_Die stripped);

// Returns the size in bytes; 0: unknown.
[[nodiscard]] uint64_t size_of(Dwarf_Die type, const TypeDefinitions* definitions, int depth = 0);
// Returns the dimensions of an array, outermost first; 0: unknown.
[[nodiscard]] std::vector<uint64_t> dimensions_of(Dwarf_Die array);
[[nodiscard]] std::string name_of_type(Dwarf_Die type, const TypeDefinitions* definitions, int depth = 0);

// A member or base class that occupies space in its type.
struct MemberEntry {
  Dwarf_Die type;
  const char* name = nullptr;  // nullptr: anonymous
  uint64_t offset = 0;
  uint64_t size = 0;
  uint16_t bit_offset = 0;
  uint16_t bits = 0;
  bool is_base = false;
  bool open_ended = false;  // an array without a bound, at the end
  [[nodiscard]] bool covers(uint64_t byte) const {
    return byte >= offset && (open_ended || byte - offset < size);
  }
};
[[nodiscard]] std::vector<MemberEntry> members_of(Dwarf_Die aggregate, const TypeDefinitions* definitions);

}  // namespace hm::symbol
