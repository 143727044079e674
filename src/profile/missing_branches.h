// SPDX-License-Identifier: MIT
// Stacks of calls alone, or of returns alone: what the other half of the branches left can be inferred, as
// what a branch leads to and what the next one leaves must be the same function. (Future work of Ono and
// others: to record one half costs less, or sees twice as far.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "profile/profile.h"

namespace hm::profile {

enum class RecordedHalf { kBoth, kCalls, kReturns };
// `branch_sample_type`: PERF_SAMPLE_BRANCH_*.
[[nodiscard]] RecordedHalf recorded_half(uint64_t branch_sample_type);

// `functions`, of a stack oldest first: that a branch left and that it led to, in turn. What it led to stays
// where something else is next, in which the last is `sampled`: then a branch that was not recorded left it.
// The others are dropped; how many stay. Of several such branches in a row only the first is told.
size_t infer_missing(std::span<uint32_t> functions, uint32_t sampled);

// Does so with all samples whose event has one half: their Samples::left_functions have what is above.
void infer_missing_branches(Profile& profile);

}  // namespace hm::profile
