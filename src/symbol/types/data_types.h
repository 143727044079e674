// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "symbol/files/symbol_table.h"
#include "symbol/types/access_flow.h"
#include "symbol/types/dwarf_index.h"
#include "symbol/types/dwarf_locals.h"
#include "symbol/unwind/frame_rules.h"

namespace hm::symbol {

// The types of an object's variables and of its instructions' accesses, from its debug information. Analyzes
// each function once, at its first use. Not thread-safe.
class DataTypes {
 public:
  // Both arguments must outlive this object.
  DataTypes(const ElfModule& module, const SymbolTable& functions);

  struct TypedLocation {
    DataType type;
    int64_t offset = 0;    // from the start of the type; beyond its size in an array of it
    std::string variable;  // local variable at this location; empty if only the type is known
  };
  // Returns the type of a global or static variable. Addresses are those in the object.
  [[nodiscard]] std::optional<TypedLocation> of_variable(uint64_t address) const;
  // Returns the location that the instruction at `address` accesses.
  [[nodiscard]] std::optional<TypedLocation> of_access(uint64_t address);
  // Returns the local variable at `above_stack_pointer` bytes above the stack pointer when the instruction at
  // `address` runs; nullopt if there is none.
  [[nodiscard]] std::optional<TypedLocation> in_frame(uint64_t address, int64_t above_stack_pointer);

 private:
  struct Function {
    std::unique_ptr<DwarfLocals> locals;  // nullptr if the debug information has no such function
    std::unique_ptr<AccessFlow> flow;
  };
  // Returns nullptr if no function is known at the address.
  const Function* function_around(uint64_t address);

  const ElfModule& module_;
  const SymbolTable& symbols_;
  DwarfIndex index_;
  FrameRules frames_;
  std::map<uint64_t, Function> functions_;  // keyed by start address
};

}  // namespace hm::symbol
