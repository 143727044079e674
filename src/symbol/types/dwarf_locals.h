// SPDX-License-Identifier: MIT
// Locations of a function's parameters and local variables while it runs (DWARF 5, section 2.6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "symbol/types/dwarf_index.h"
#include "symbol/unwind/registers.h"

namespace hm::symbol {

struct LocalVariable {
  std::string name;
  DataType type;
};

// The variables of a function and of the functions inlined into it. Variables in several pieces, and
// variables described by the caller's registers, are not supported.
class DwarfLocals {
 public:
  // `function` is a DW_TAG_subprogram of the index.
  DwarfLocals(const DwarfIndex& index, Dwarf_Die function);

  // A memory location relative to a register or to the canonical frame address.
  struct Memory {
    uint8_t base = kNoRegister;  // kNoRegister: the canonical frame address
    int64_t offset = 0;
  };
  struct Found {
    const LocalVariable* variable = nullptr;
    int64_t offset = 0;  // from the start of the variable
  };
  // Returns the variable at `place` just before the instruction at `address` (in the object) runs.
  [[nodiscard]] std::optional<Found> in_memory(uint64_t address, const Memory& place) const;
  // Returns the variable with its value in a register at that point; `offset` is added to the value.
  [[nodiscard]] std::optional<Found> in_register(uint64_t address, uint8_t number) const;

 private:
  enum class Kind : uint8_t { kRegister, kMemory };
  // Entry of a location list: `variable` is there while the code in [begin, end) runs.
  struct VariableLocation {
    uint64_t begin;
    uint64_t end;
    Kind kind;
    uint8_t base;
    uint32_t variable;
    int64_t offset;
  };
  struct Span {
    uint64_t begin;
    uint64_t end;
  };

  void collect(Dwarf_Die parent, const std::vector<Span>& scope, int depth);
  void take(Dwarf_Die entry, const std::vector<Span>& scope);
  void add(const Dwarf_Op* expression, size_t length, const std::vector<Span>& spans, uint32_t variable);
  [[nodiscard]] std::vector<Span> spans_of(Dwarf_Die entry) const;

  const DwarfIndex& index_;
  Memory frame_base_;
  std::vector<LocalVariable> variables_;
  std::vector<VariableLocation> places_;  // sorted by kind, base and begin
  uint64_t longest_ = 0;                  // longest range of a place
};

}  // namespace hm::symbol
