// SPDX-License-Identifier: MIT
// Index of an object's debug information, built by one walk over all of it. .debug_aranges and .debug_names
// are less complete, and not every compiler writes them.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "symbol/files/elf_module.h"
#include "symbol/types/data_type.h"

namespace hm::symbol {

class DwarfIndex final : public TypeDefinitions {
 public:
  // `module` must outlive the index, and the index must not move.
  explicit DwarfIndex(const ElfModule& module);
  DwarfIndex(const DwarfIndex&) = delete;
  DwarfIndex& operator=(const DwarfIndex&) = delete;

  struct Variable {
    uint64_t address = 0;  // in the object
    DataType type;
  };
  // Returns the global or static variable that contains the address; nullopt if none is described.
  [[nodiscard]] std::optional<Variable> variable_at(uint64_t address) const;

  // Returns the function with code at the address.
  [[nodiscard]] std::optional<Dwarf_Die> function_at(uint64_t address) const;

  [[nodiscard]] std::optional<Dwarf_Die> definition_of(Dwarf_Die declaration) const override;
  [[nodiscard]] std::string_view scope_of(Dwarf_Die type) const override;

  // Difference between the object's addresses and those in the debug information.
  [[nodiscard]] uint64_t bias() const { return bias_; }

 private:
  // Addresses of a variable or function, and its debugging information entry.
  struct EntryRange {
    uint64_t begin;
    uint64_t end;  // only set for a function
    Dwarf_Die entry;
  };

  void walk(Dwarf_Die parent, uint32_t scope, int depth);
  void take(Dwarf_Die entry, int tag, uint32_t scope, int depth);
  void take_type(Dwarf_Die entry, uint32_t scope);
  void take_variable(Dwarf_Die entry);
  void take_function(Dwarf_Die entry);
  uint32_t scope_within(uint32_t scope, Dwarf_Die entry);

  uint64_t bias_ = 0;
  size_t entries_ = 0;  // visited so far
  std::vector<EntryRange> variables_;
  std::vector<EntryRange> functions_;
  std::vector<std::string> scopes_{std::string()};  // "ns::"; [0] is the global scope
  std::unordered_map<const void*, uint32_t> scope_of_type_;
  std::unordered_map<std::string, Dwarf_Die> definitions_;  // by qualified name
};

}  // namespace hm::symbol
