// SPDX-License-Identifier: MIT
// Infers branches that were not recorded, for stacks of calls alone or of returns alone. The target of a
// branch and the source of the next branch must lie in the same function; otherwise a branch between them is
// missing. (Future work of Ono and others: recording one half costs less, or covers twice the time.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "profile/profile.h"

namespace hm::profile {

enum class RecordedHalf { kBoth, kCalls, kReturns };
// `branch_sample_type` holds PERF_SAMPLE_BRANCH_* bits.
[[nodiscard]] RecordedHalf recorded_half(uint64_t branch_sample_type);

// `functions` holds, oldest first, the source and target function of each branch in turn. Keeps all sources,
// and a target if it differs from the next source (for the last one, from `sampled`): an unrecorded branch
// then left that target. Drops the other targets and returns the number of functions kept. Infers only the
// first of several missing branches in a row.
size_t infer_missing(std::span<uint32_t> functions, uint32_t sampled);

// Infers the missing branches of all samples with such an event, in Samples::left_functions.
void infer_missing_branches(Profile& profile);

}  // namespace hm::profile
