// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "symbol/files/symbol_table.h"

namespace hm::symbol {

// The instances of Rust's generic functions that have one name: the legacy mangling scheme leaves out type
// arguments, and its symbols differ only in their hashes.
class RustInstances {
 public:
  // `symbols` must outlive this object.
  explicit RustInstances(const SymbolTable& symbols);

  // Returns true if another symbol has the same name, apart from the hash.
  [[nodiscard]] bool has_twin(std::string_view symbol) const;

 private:
  std::unordered_set<std::string_view> twins_;  // names without hashes
};

// Replaces the last component of "shop::walk" by "walk<u32>", as it is in the debug information. Returns an
// empty text if the last component has another name.
[[nodiscard]] std::string with_type_arguments(const std::string& name, std::string_view instance);

}  // namespace hm::symbol
