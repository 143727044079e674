// SPDX-License-Identifier: MIT
// What data is, as the debug information describes it, in plain values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "symbol/types/type_layout.h"

namespace hm::symbol {

// The type of a global or static variable.
struct VariableType {
  uint64_t start = 0;          // of the variable: address in the object
  uint64_t element_bytes = 0;  // of what the variable, if an array, has many of; 0: not known
  bool is_raw = false;         // the type says nothing of what lies in its memory: bytes, void
  // Of an element; the same description has the same pointer each time.
  std::shared_ptr<const TypeLayout> element{};
};

// A part of a type that an instruction accesses, or that lies at a place.
struct DescribedField {
  TypeField field{};
  std::shared_ptr<const TypeLayout> element{};  // that it is a part of; as in VariableType
  std::string variable{};  // the local variable that it lies in; empty: only the type is known
};

}  // namespace hm::symbol
