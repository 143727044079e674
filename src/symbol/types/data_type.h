// SPDX-License-Identifier: MIT
// What a piece of memory holds, as DWARF describes types (DWARF 5, chapter 5): the member at an offset, and
// the layout of a whole type. The description is not trusted: nothing follows more than a fixed number of
// references.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>

#include "symbol/types/type_entries.h"
#include "symbol/types/type_layout.h"

namespace hm::symbol {

// A type; a value, valid as long as the debug information that it is from. It sees through cv-qualifiers and
// typedefs.
class DataType {
 public:
  explicit DataType(const Dwarf_Die& die, const TypeDefinitions* definitions = nullptr)
      : die_(die), definitions_(definitions) {}
  // The type that a variable, a parameter or a member is declared with, or a function returns.
  [[nodiscard]] static std::optional<DataType> of(Dwarf_Die declaration,
                                                  const TypeDefinitions* definitions = nullptr);

  // Equal for two values that are one description of a type.
  [[nodiscard]] const void* identity() const { return die_.addr; }
  // "struct node", "int[10]", "char*".
  [[nodiscard]] std::string name() const;
  [[nodiscard]] uint64_t size() const;  // bytes; 0: not known
  // What an array holds, at any depth of arrays; the type itself where it is none.
  [[nodiscard]] DataType element() const;
  // What a pointer or reference points to; nullopt where it is none, or points to anything (void).
  [[nodiscard]] std::optional<DataType> pointee() const;
  // Whether the type says nothing about what lies in its memory: void, a character, an array of such.
  [[nodiscard]] bool is_raw_memory() const;
  // The innermost member at a byte; beyond the type's end, as if it were one of an array of such types. An
  // `offset` may be negative. Array indices are left out unless `indices`.
  [[nodiscard]] TypeField field_at(int64_t offset, bool indices = false) const;
  // The type of the innermost member that begins at the offset; nullopt where none does.
  [[nodiscard]] std::optional<DataType> type_at(int64_t offset) const;
  [[nodiscard]] TypeLayout layout() const;

 private:
  [[nodiscard]] DataType stripped() const;

  Dwarf_Die die_;
  const TypeDefinitions* definitions_;
};

}  // namespace hm::symbol
