// SPDX-License-Identifier: MIT
// Event rates of each process over time, in events per second, or per billion modelled cycles.
#pragma once

#include <cstdint>
#include <vector>

#include "view/exports/export_selection.h"
#include "view/exports/times.h"

namespace hm::exports {

struct RatePoint {
  uint64_t time_ns = 0;    // start of the interval, since the origin
  double per_billion = 0;  // events per billion ns in the interval
};

struct EventRate {
  uint32_t event = 0;
  uint32_t pid = 0;
  std::vector<RatePoint> points;  // in order of time; the last rate is 0 and marks the end
};

// Returns the rates of each event and process that has samples. The time from the first sample to the last is
// split into at most 256 equal intervals of at least a microsecond.
[[nodiscard]] std::vector<EventRate> event_rates(const Selection& selection, const Times& times);

}  // namespace hm::exports
