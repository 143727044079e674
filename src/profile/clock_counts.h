// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "symbol/code/waiting.h"

namespace hm::profile {

// What became of one clock event's samples.
struct ClockAttribution {
  uint64_t samples = 0;
  uint64_t attributed = 0;                              // to the instruction before
  uint64_t accesses = 0;                                // of those: to an instruction that accesses memory
  uint64_t addresses = 0;                               // of those: the registers told which
  std::array<uint64_t, symbol::kUntoldCount> stayed{};  // where they fell, by symbol::Untold

  bool operator==(const ClockAttribution&) const = default;
};

}  // namespace hm::profile
