// SPDX-License-Identifier: MIT
// A core's table of indirect branch targets, which copied code searches.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

// The target of an empty entry: no code is at this address.
inline constexpr uint64_t kNoCode = 1;

// Added to the target's address if the code there reads status flags. Only branches that preserve the
// program's flags search for an address with this bit. No code address has this bit.
inline constexpr unsigned kReadsFlagsBit = 63;
inline constexpr uint64_t kReadsFlags = uint64_t{1} << kReadsFlagsBit;

inline IndirectTarget& indirect_place(Core& core, uint64_t target, Mode mode) {
  return core.indirect[static_cast<unsigned>(mode)][(target & kIndirectMask) >> 2];
}

// Empties the table, or removes one target.
inline void forget_indirect_targets(Core& core) {
  for (auto& of_mode : core.indirect) {
    for (IndirectTarget& each : of_mode) each.target = kNoCode;
  }
}
inline void forget_indirect_target(Core& core, uint64_t target) {
  for (unsigned mode = 0; mode < kModes; ++mode) {
    IndirectTarget& each = indirect_place(core, target, static_cast<Mode>(mode));
    if ((each.target & ~kReadsFlags) == target) __atomic_store_n(&each.target, kNoCode, __ATOMIC_RELEASE);
  }
}

}  // namespace hm::soft::direct
