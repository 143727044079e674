// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "profile/process_table.h"
#include "profile/segment.h"

namespace hm::profile {

// Loads the index' records from `begin` to `end`; `processes` is the state at `begin`.
[[nodiscard]] Segment load_segment(const Recording& recording, size_t begin, size_t end,
                                   ProcessTable processes);

}  // namespace hm::profile
