// SPDX-License-Identifier: MIT
// What a function's instructions access, by type: the registers' types are followed through its code, from
// the places where the debug information names what a register or the stack holds.
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

// A place in memory that holds something of a type, or that a register points to.
struct TypedPlace {
  DataType type;
  int64_t offset = 0;                       // in the type; more than its size in an array of it
  const LocalVariable* variable = nullptr;  // that lies there; nullptr where only the type is known

  [[nodiscard]] TypedPlace plus(int64_t bytes) const { return {type, offset + bytes, variable}; }
};

// A register that is used as a pointer holds one type of pointer on all ways that lead to the use, so it is
// enough that one way tells. Where control flows together, what any way tells is kept; code behind it is
// looked at again until there is nothing new.
class AccessFlow {
 public:
  // `locals`: of the function; nullptr where nothing is known of them.
  AccessFlow(const ElfModule& module, const DwarfIndex& index, FrameRules& frames, const DwarfLocals* locals,
             const Extent& function);

  // What the instruction at `address` (in the object) accesses; nullopt where it cannot be told.
  [[nodiscard]] std::optional<TypedPlace> at(uint64_t address) const;

 private:
  // What the registers point to, by symbol/unwind/registers.h; and what the spill slots on the stack point
  // to, by their offsets from the canonical frame address.
  struct State {
    std::array<std::optional<TypedPlace>, RegisterValues::kCount> registers;
    std::vector<std::pair<int64_t, TypedPlace>> spilled;
    std::optional<TypedPlace>& operator[](size_t number) { return registers[number]; }
    const std::optional<TypedPlace>& operator[](size_t number) const { return registers[number]; }
  };
  // The address that an operand names.
  struct Operand {
    uint8_t base = kNoRegister;
    uint8_t index = kNoRegister;
    int64_t displacement = 0;
  };

  void run(uint64_t start, State state);
  void follow(uint64_t address, State state);
  // Adds what `state` knows to what is known at a place that is jumped to; false where that is nothing new.
  bool arrive(uint64_t address, State& state);
  // Whether that would be anything.
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
  std::span<const ZydisDecodedOperand> operands_;  // of the instruction at hand
  std::vector<bool> seen_;                         // by offset
  uint64_t steps_ = 0;
  std::unordered_map<uint64_t, State> known_;     // where jumps lead
  std::vector<std::pair<uint64_t, State>> open_;  // where control also goes
  std::unordered_map<uint64_t, TypedPlace> places_;
};

}  // namespace hm::symbol
