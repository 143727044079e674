// SPDX-License-Identifier: MIT
// When a recording may lack samples.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/timeline/axis.h"
#include "analysis/timeline/index.h"
#include "profile/profile.h"

namespace hm::timeline {

struct TimeSpan {
  int64_t begin_ns = 0, end_ns = 0;  // since `start_ns`
};

struct Gap {
  TimeSpan when;
  std::optional<uint32_t> event;  // the only one that lacks any
};

// In order of their begin; `start_ns` is the axis position from which times are counted. What was lost came
// after the last sample of the same CPU, or of any where CPUs are not loaded: the kernel tells of it only
// later.
[[nodiscard]] std::vector<Gap> find_gaps(const profile::Profile& profile, const Axis& axis,
                                         uint64_t start_ns);

// Of one event, in the grid: in order, and apart from each other by a cell at least.
[[nodiscard]] std::vector<TimeSpan> gaps_of(const std::vector<Gap>& gaps, uint32_t event, const Grid& grid);

}  // namespace hm::timeline
