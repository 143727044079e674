// SPDX-License-Identifier: MIT
// Classifies how a loop computes the address of a memory access, from the code alone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"

namespace hm::symbol {

enum class AddressSource : uint8_t {
  kNoCode,         // no code to analyze
  kUnknown,        // not in a loop, or the code cannot be analyzed
  kFixed,          // no register of the address changes in the loop
  kCounted,        // a register advances by amounts that are constant in the loop
  kComputed,       // other arithmetic, for example a hash
  kLoadedInOrder,  // loaded by an instruction with a kCounted address: the rows of a table
  kLoaded,         // loaded by another instruction: an index or a pointer
  kBesideChase,    // loaded through a pointer that is chased: data referenced by list elements
  kChased,         // loaded from the previous address by the loop itself: the next element of a list
};

// An access in the loop through the same registers as the analyzed instruction.
struct NearAccess {
  int64_t offset = 0;  // relative to the analyzed instruction's operand
  uint16_t bytes = 0;

  bool operator==(const NearAccess&) const = default;
};

struct AddressFacts {
  AddressSource source = AddressSource::kNoCode;
  // Change of the address from one iteration to the next; nullopt if the code does not determine it.
  std::optional<int64_t> step_bytes{};
  std::vector<NearAccess> near{};  // includes the instruction itself; empty if the source is unknown
  // True if the instruction accesses an element of a chain that begins at a pointer from a table, like the
  // chains of a hash table.
  bool in_chain_of_table = false;
};

// Returns true if the instruction at `address` loads a pointer to a table of functions, one of which is
// called later in the function's code: a C++ object's pointer to its class.
[[nodiscard]] bool loads_dispatch_table(Bytes code, uint64_t start, uint64_t address);

// Analyzes the instruction at `address` in a function with `code` that begins at `start`. The loop is the
// smallest one with a jump back over the instruction. Registers are traced backwards through the code, once
// around the loop, as if it were straight-line code: code in other branches of the loop may be mistaken for
// the source.
[[nodiscard]] AddressFacts address_facts(Bytes code, uint64_t start, uint64_t address);

}  // namespace hm::symbol
