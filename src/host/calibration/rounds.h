// SPDX-License-Identifier: MIT
// Combines several measurements of one machine.
#pragma once

#include <vector>

#include "host/calibration/machine_profile.h"

namespace hm::host {

// Neighbours of a virtual machine disturb for seconds at a time, longer than the repetitions of a quantity
// last. So each quantity is measured in several rounds. Others only make things slower: the result is the
// second best round, and its interval reaches from the best to the median one. `rounds` must not be empty,
// and all have the same quantities; quantities that a round lacks are left out.
[[nodiscard]] MachineProfile combined(const std::vector<MachineProfile>& rounds);

}  // namespace hm::host
