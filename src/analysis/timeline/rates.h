// SPDX-License-Identifier: MIT
// How often events were counted over time, of all threads together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/timeline/event_times.h"
#include "analysis/timeline/gaps.h"
#include "analysis/timeline/index.h"

namespace hm::timeline {

struct Rate {
  std::string event;
  uint64_t samples = 0;  // in the window
  double events = 0;     // that they stand for
  // In each bin; nullopt where it was not measured: the event's samples have no time, or the bin has none
  // because of a gap. A last bin that is shorter than the others tells of as long a time as they do.
  std::vector<std::optional<double>> per_billion;
  std::optional<double> most_per_billion;
  std::vector<TimeSpan> gaps;  // in which the rates are too low, as samples may be missing
};

// Of all of the event's tracks, in the grid's cells.
[[nodiscard]] Rate find_rate(const CountedEvent& counted, const std::vector<Gap>& gaps, const Grid& grid);

}  // namespace hm::timeline
