// SPDX-License-Identifier: MIT
// The states that blocks start from: the same for the same seed. The runner makes them, and a test that
// computes what a block accesses makes them again.
#pragma once

#include "block_state.h"

namespace hm::direct_test {

// Returns registers, flags, x87, vector and mask registers. Half of the general registers are addresses in
// the arena.
State start_state(uint64_t seed);

// Fills the arenas. Behind the flags that a block pops, the stack has flags that popf may load.
void make_memory(uint64_t seed, const State& state);

}  // namespace hm::direct_test
