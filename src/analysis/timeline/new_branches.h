// SPDX-License-Identifier: MIT
// Which branches of a sample's stack ran since the sample before. The processor's record of its last branches
// (LBR) is not cleared when it is read: entries that the last sample had too must not count again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "profile/samples.h"

namespace hm::timeline {

using Stack = std::span<const profile::Branch>;  // newest first

// Without the slots that held no branch: from 0 to 0. At most the 256 newest entries: no hardware has more,
// and a damaged recording might.
[[nodiscard]] Stack without_empty(Stack stack);

struct NewBranches {
  size_t count = 0;  // of the newest
  // What both stacks have proves nothing: it is a loop that went round at least twice, or the newer stack has
  // it once more. How often that ran between the samples cannot be told, and all entries count as new.
  bool ambiguous = false;
};

// By content: the newest entries of `before` are looked for in `now`, whole (also its flags and cycles).
// `indices`, where the hardware told them (PERF_SAMPLE_BRANCH_HW_INDEX), of the newest entry then and now:
// the number of new ones is their difference, or more than the hardware has entries.
struct HardwareIndices {
  uint64_t before, now;
};
[[nodiscard]] NewBranches find_new(Stack now, Stack before, std::optional<HardwareIndices> indices = {});

}  // namespace hm::timeline
