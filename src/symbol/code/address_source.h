// SPDX-License-Identifier: MIT
// Where the address of a memory access in a loop comes from, told from the code alone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"

namespace hm::symbol {

enum class AddressSource : uint8_t {
  kNoCode,         // there is none to read
  kUnknown,        // in no loop, or the code cannot be followed
  kFixed,          // no register of it changes in the loop
  kCounted,        // a register goes on by what does not change in the loop
  kComputed,       // by other arithmetic, as a hash
  kLoadedInOrder,  // from what another instruction loaded that goes on by what does not change: a table's
                   // rows
  kLoaded,         // from what another instruction loaded: an index or a pointer
  kBesideChase,  // from what another instruction loaded from what is chased: what a list's elements point to
  kChased,       // from what the loop loaded at the address before: the next element of a list
};

// What a loop accesses through the same registers as the instruction asked for.
struct NearAccess {
  int64_t offset = 0;  // from the instruction's own operand
  uint16_t bytes = 0;

  bool operator==(const NearAccess&) const = default;
};

struct AddressFacts {
  AddressSource source = AddressSource::kNoCode;
  // How far the address goes from one round of the loop to the next; nullopt where the code does not say so.
  std::optional<int64_t> step_bytes{};
  std::vector<NearAccess> near{};  // itself included; empty where the source is not known
};

// Of the instruction at `address` in a function whose `code` begins at `start`. The loop is the smallest that
// jumps back over it; each register is followed back along the code, round the loop once, as if it ran
// straight: what is in other branches of the loop may be taken for its source.
[[nodiscard]] AddressFacts address_facts(Bytes code, uint64_t start, uint64_t address);

}  // namespace hm::symbol
