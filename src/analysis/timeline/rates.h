// SPDX-License-Identifier: MIT
// Event rates over time, summed over all threads.
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
  double events = 0;     // number of events that the samples represent
  // Rate in each bin. nullopt if it was not measured: the event's samples have no time, or the bin has none
  // because of a gap. The rate of a shorter last bin is measured over a full bin length.
  std::vector<std::optional<double>> per_billion;
  std::optional<double> max_per_billion;
  std::vector<TimeSpan> gaps;  // intervals in which samples may be missing and rates too low
};

// Returns the rate over all tracks of the event, in the grid's cells.
[[nodiscard]] Rate find_rate(const CountedEvent& counted, const std::vector<Gap>& gaps, const Grid& grid);

}  // namespace hm::timeline
