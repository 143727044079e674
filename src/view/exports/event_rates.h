// SPDX-License-Identifier: MIT
// How many events in a second a process had over time.
#pragma once

#include <cstdint>
#include <vector>

#include "view/exports/selection.h"

namespace hm::exports {

struct RatePoint {
  uint64_t time_ns = 0;  // since the origin, when a part of the time begins
  double per_s = 0;      // throughout it
};

struct EventRate {
  uint32_t event = 0;
  uint32_t pid = 0;
  std::vector<RatePoint> points;  // in order of time; the last is 0, where the time ends
};

// Of each event and process that has samples, in equal parts of the time from the first sample to the last:
// 256, or as many microseconds as there are.
[[nodiscard]] std::vector<EventRate> event_rates(const Selection& selection, uint64_t origin_ns);

}  // namespace hm::exports
