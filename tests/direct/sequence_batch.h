// SPDX-License-Identifier: MIT
// Random short programs, natively and under the copying engine, while signals arrive at any time.
#pragma once

#include <string>
#include <vector>

#include "block_comparison.h"

namespace hm::direct_test {

// Returns a description of each of `count` programs that leaves something else behind under the engine, up to
// a limit.
std::vector<std::string> different_sequences(uint64_t seed, uint64_t count, const Words& options);

}  // namespace hm::direct_test
