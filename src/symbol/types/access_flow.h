// SPDX-License-Identifier: MIT
// Finds the types that a function's instructions access. Follows the types of the registers through the code,
// from the locations at which the debug information describes a register or the stack.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "symbol/code/data_access.h"
#include "symbol/code/decoder.h"
#include "symbol/code/flow.h"
#include "symbol/files/extent.h"
#include "symbol/types/dwarf_index.h"
#include "symbol/types/dwarf_locals.h"
#include "symbol/unwind/frame_rules.h"

namespace hm::symbol {

// A location in memory that holds data of a type, or to which a register points.
struct TypedPlace {
  DataType type;
  int64_t offset = 0;  // from the start of the type; beyond its size in an array of the type
  const LocalVariable* variable = nullptr;  // at this location; nullptr if only the type is known

  [[nodiscard]] TypedPlace plus(int64_t bytes) const { return {type, offset + bytes, variable}; }
};

// Data-flow analysis of pointer types. A register used as a pointer holds the same pointer type on all paths
// to the use, so a type from one path is enough. At joins of control flow, the union of the types from all
// paths is kept. The code after a join is visited again until no new types are found.
class AccessFlow {
 public:
  // `locals` are those of the function; nullptr if none are known.
  AccessFlow(const ElfModule& module, const DwarfIndex& index, FrameRules& frames, const DwarfLocals* locals,
             const Extent& function);

  // Returns the location that the instruction at `address` (in the object) accesses; nullopt if unknown.
  [[nodiscard]] std::optional<TypedPlace> at(uint64_t address) const;

 private:
  // Targets of pointers: in the registers, numbered as in symbol/unwind/registers.h, and in the spill slots
  // on the stack, by their offset from the canonical frame address.
  struct State {
    std::array<std::optional<TypedPlace>, RegisterValues::kCount> registers;
    std::vector<std::pair<int64_t, TypedPlace>> spilled;
    std::optional<TypedPlace>& operator[](size_t number) { return registers[number]; }
    const std::optional<TypedPlace>& operator[](size_t number) const { return registers[number]; }
  };
  // Address of a memory operand.
  struct Operand {
    uint8_t base = kNoRegister;
    uint8_t index = kNoRegister;
    int64_t displacement = 0;
  };

  void run(uint64_t start, State state);
  void follow(uint64_t address, State state);
  // Merges `state` into the known state at a jump target; returns false if that adds nothing new.
  bool arrive(uint64_t address, State& state);
  // Returns true if merging `state` would add something new.
  [[nodiscard]] bool would_add(uint64_t address, const State& state);
  [[nodiscard]] static bool merge(State& into, const State& from);
  void step(uint64_t address, const FlowInstruction& flow, State& state);
  void seed(uint64_t address, State& state) const;
  void change(uint64_t address, State& state);
  void note_spill(uint64_t address, State& state);
  void return_from_call(uint64_t address, State& state);
  [[nodiscard]] std::optional<TypedPlace> place_of(uint64_t address, const Operand& operand,
                                                   const State& state) const;
  [[nodiscard]] static Operand operand_of(const ZydisDecodedOperand& operand);
  [[nodiscard]] std::optional<int64_t> frame_offset(uint64_t address, const Operand& operand) const;
  [[nodiscard]] std::optional<TypedPlace> taken_back(uint64_t address, const Operand& operand,
                                                     const State& state) const;
  [[nodiscard]] std::optional<TypedPlace> in_frame(uint64_t address, const Operand& operand) const;
  [[nodiscard]] std::optional<TypedPlace> global(uint64_t address) const;
  [[nodiscard]] std::optional<TypedPlace> fixed(uint64_t address) const;
  [[nodiscard]] std::optional<TypedPlace> loaded_from(const std::optional<TypedPlace>& place) const;
  [[nodiscard]] std::optional<TypedPlace> result(uint64_t address, const State& state) const;
  [[nodiscard]] static std::optional<TypedPlace> pointed_to(const LocalVariable& variable, int64_t offset);

  const ElfModule& module_;
  const DwarfIndex& index_;
  FrameRules& frames_;
  const DwarfLocals* locals_;
  Extent function_;
  Decoder decoder_;
  std::span<const ZydisDecodedOperand> operands_;  // of the current instruction
  std::vector<bool> seen_;                         // code that was visited, by offset
  uint64_t steps_ = 0;
  std::unordered_map<uint64_t, State> known_;     // states at jump targets
  std::vector<std::pair<uint64_t, State>> open_;  // addresses still to be visited
  std::unordered_map<uint64_t, TypedPlace> places_;
};

}  // namespace hm::symbol
