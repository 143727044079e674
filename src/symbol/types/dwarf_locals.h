// SPDX-License-Identifier: MIT
// Where a function's parameters and local variables are while it runs (DWARF 5, section 2.6).
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

// Those of one function and of what is inlined into it. Of a variable that is in several pieces, or that only
// its caller's registers tell, nothing is known.
class DwarfLocals {
 public:
  // `function`: a DW_TAG_subprogram of the index.
  DwarfLocals(const DwarfIndex& index, Dwarf_Die function);

  // A place in memory, relative to a register or to the canonical frame address.
  struct Memory {
    uint8_t base = kNoRegister;  // kNoRegister: the canonical frame address
    int64_t offset = 0;
  };
  struct Found {
    const LocalVariable* variable = nullptr;
    int64_t offset = 0;  // in the variable
  };
  // What lies at `place` while the instruction at `address` (in the object) begins.
  [[nodiscard]] std::optional<Found> in_memory(uint64_t address, const Memory& place) const;
  // Whose value a register holds then, or its value plus the offset.
  [[nodiscard]] std::optional<Found> in_register(uint64_t address, uint8_t number) const;

 private:
  enum class Kind : uint8_t { kRegister, kMemory };
  struct Place {
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
  std::vector<Place> places_;  // by kind, base and begin
  uint64_t longest_ = 0;       // of the places
};

}  // namespace hm::symbol
