// SPDX-License-Identifier: MIT
#pragma once

#include <elfutils/libdw.h>

#include <optional>
#include <string_view>

namespace hm::symbol {

// What a type's own description does not say.
class TypeDefinitions {
 public:
  virtual ~TypeDefinitions() = default;
  // Of a type that is only declared.
  [[nodiscard]] virtual std::optional<Dwarf_Die> definition_of(Dwarf_Die declaration) const = 0;
  // "ns::" of a type in a namespace or class.
  [[nodiscard]] virtual std::string_view scope_of(Dwarf_Die type) const = 0;
};

}  // namespace hm::symbol
