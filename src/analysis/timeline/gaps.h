// SPDX-License-Identifier: MIT
// Intervals in which a recording may lack samples.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/timeline/index.h"
#include "profile/profile.h"
#include "profile/time_axis.h"

namespace hm::timeline {

struct TimeSpan {
  int64_t begin_ns = 0, end_ns = 0;  // relative to `start_ns`
};

struct Gap {
  TimeSpan when;
  std::optional<uint32_t> event;  // the only event that lacks samples; nullopt: any
};

// Returns the gaps in order of their begin; `start_ns` is the axis position of time 0. A gap of all events
// begins at the last sample of the CPU that lost samples, because the kernel reports a loss only later. If
// CPUs are not loaded, it begins at the last sample of any CPU.
[[nodiscard]] std::vector<Gap> find_gaps(const profile::Profile& profile, const profile::TimeAxis& axis,
                                         uint64_t start_ns);

// Returns the gaps of one event within the grid, in order and at least one cell apart.
[[nodiscard]] std::vector<TimeSpan> gaps_of(const std::vector<Gap>& gaps, uint32_t event, const Grid& grid);

}  // namespace hm::timeline
