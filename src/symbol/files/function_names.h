// SPDX-License-Identifier: MIT
// Names of functions in debugging information.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hm::symbol {

// The namespaces and classes of the functions in a compilation unit.
class FunctionScopes {
 public:
  explicit FunctionScopes(Dwarf_Die unit);

  // Returns "shop::Table::" for the entry that declares a function; empty if it is in no scope.
  [[nodiscard]] std::string_view of(Dwarf_Off declaration) const;

 private:
  void collect(Dwarf_Die parent, uint32_t scope, int depth);
  void add_class(Dwarf_Die type, uint32_t scope, int depth);
  void add_function(Dwarf_Die function, uint32_t scope, int depth);
  [[nodiscard]] uint32_t add_scope(uint32_t parent, std::string_view name);

  std::vector<std::string> scopes_;                      // the first is empty
  size_t bytes_ = 0;                                     // of scopes_
  std::unordered_map<Dwarf_Off, uint32_t> declared_in_;  // of functions, index into scopes_
  size_t entries_ = 0;                                   // visited so far
  unsigned lambdas_ = 0;                                 // of the current function
};

// Caches the scopes of units. Not thread-safe.
class FunctionNames {
 public:
  // Returns the name of a function or of an inlined instance of it: its demangled linkage name, or else, for
  // functions without one (static ones of C++, lambdas), the name with its scope, without parameters. Empty
  // if the function has no name.
  [[nodiscard]] std::string of(Dwarf_Die* function);

 private:
  std::unordered_map<const void*, FunctionScopes> units_;
};

}  // namespace hm::symbol
