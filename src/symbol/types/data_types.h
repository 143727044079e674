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

// The types of what an object's variables hold and of what its instructions access, as its debug information
// describes them. Each function is looked at once, at its first use. Not safe to use from several threads.
class DataTypes {
 public:
  // Both must live as long.
  DataTypes(const ElfModule& module, const SymbolTable& functions);

  struct Place {
    DataType type;
    int64_t offset = 0;    // in the type; more than its size in an array of it
    std::string variable;  // the local variable that lies there; empty where only the type is known
  };
  // Of a global or static variable. Addresses are the object's.
  [[nodiscard]] std::optional<Place> of_variable(uint64_t address) const;
  // What the instruction at `address` accesses.
  [[nodiscard]] std::optional<Place> of_access(uint64_t address);
  // What lies so many bytes above the stack pointer while the instruction at `address` runs, where that is a
  // local variable of its function.
  [[nodiscard]] std::optional<Place> in_frame(uint64_t address, int64_t above_stack_pointer);

 private:
  struct Function {
    std::unique_ptr<DwarfLocals> locals;  // nullptr where the debug information has no such function
    std::unique_ptr<AccessFlow> flow;
  };
  // nullptr where no function is known there.
  const Function* function_around(uint64_t address);

  const ElfModule& module_;
  const SymbolTable& symbols_;
  DwarfIndex index_;
  FrameRules frames_;
  std::map<uint64_t, Function> functions_;  // by start
};

}  // namespace hm::symbol
