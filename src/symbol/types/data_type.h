// SPDX-License-Identifier: MIT
// Types of data in memory from DWARF (DWARF 5, chapter 5): the member at an offset, and the layout of a whole
// type. The debug information is untrusted: all functions follow a limited number of references.
// references.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>

#include "symbol/types/type_entries.h"
#include "symbol/types/type_layout.h"

namespace hm::symbol {

// A type; a value object, valid as long as the debug information that it comes from. cv-qualifiers and
// typedefs are transparent.
class DataType {
 public:
  explicit DataType(const Dwarf_Die& die, const TypeDefinitions* definitions = nullptr)
      : die_(die), definitions_(definitions) {}
  // Returns the type of a variable, parameter or member, or the return type of a function.
  [[nodiscard]] static std::optional<DataType> of(Dwarf_Die declaration,
                                                  const TypeDefinitions* definitions = nullptr);

  // Equal for two objects that refer to the same type description.
  [[nodiscard]] const void* identity() const { return die_.addr; }
  // Returns a name such as "struct node", "int[10]", "char*".
  [[nodiscard]] std::string name() const;
  [[nodiscard]] uint64_t size() const;  // bytes; 0: unknown
  // Returns the element type of an array, at any depth of nested arrays; the type itself if it is not an
  // array.
  [[nodiscard]] DataType element() const;
  // Returns the target type of a pointer or reference; nullopt for other types and for void*.
  [[nodiscard]] std::optional<DataType> pointee() const;
  // Returns true if the type does not describe the contents of its memory: void, a character, an array of
  // characters.
  [[nodiscard]] bool is_raw_memory() const;
  // Returns the innermost member at a byte offset. An offset beyond the type's end or below 0 is taken as if
  // the type were an element of an array. Array indices are omitted unless `indices`.
  [[nodiscard]] TypeField field_at(int64_t offset, bool indices = false) const;
  // Returns the type of the innermost member that begins at the offset; nullopt if no member begins there.
  [[nodiscard]] std::optional<DataType> type_at(int64_t offset) const;
  [[nodiscard]] TypeLayout layout() const;

 private:
  [[nodiscard]] DataType stripped() const;

  Dwarf_Die die_;
  const TypeDefinitions* definitions_;
};

}  // namespace hm::symbol
