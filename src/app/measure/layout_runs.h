// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "app/measure/record_run.h"

namespace hm::measure {

// Runs the command in `layouts` memory layouts, from SoftwareOptions::layout on, and returns the medians of
// its counts with their ranges (totals/layouts.h); with 1, counts as count_events(). After an interruption
// the result has the complete runs. Fails with kInvalidArgument if running processes are the target.
[[nodiscard]] Result<Counted> count_in_layouts(MeasureOptions options, uint64_t layouts,
                                               const Observer& observer);

}  // namespace hm::measure
