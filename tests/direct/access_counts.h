// SPDX-License-Identifier: MIT
// The number of loads and stores of an instruction, from Zydis's operands and the state before it. The
// engine's decoder is not used.
#pragma once

#include <Zydis/Zydis.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "block_comparison.h"
#include "block_state.h"

namespace hm::direct_test {

struct AccessCounts {
  uint64_t loads = 0;
  uint64_t stores = 0;
};

// An element of a gather or scatter, and of a repeated string instruction, is an access. `before` and `after`
// belong to a run without a fault. Returns nothing if the count depends on more than the operands:
//  - EVEX with an empty mask: some instructions still access the operand;
//  - nested enter, and branches with an operand-size prefix, which the engine leaves to the processor: it
//  says
//    that they are not counted.
std::optional<AccessCounts> count_accesses(const ZydisDecoder& decoder, const std::vector<uint8_t>& bytes,
                                           const State& before, const Result& after);

}  // namespace hm::direct_test
