// SPDX-License-Identifier: MIT
#include "view/exports/times.h"

#include <algorithm>

namespace hm::exports {

Times::Times(const Selection& selection) : axis_(selection.profile) {
  uint64_t first = UINT64_MAX;
  for (size_t sample : selection.samples) first = std::min(first, axis_.at(sample).value_or(UINT64_MAX));
  for (const profile::OccupancySeries& series : selection.profile.occupancy) {
    if (!series.points.empty()) first = std::min(first, series.points.front().time_ns);
  }
  if (first != UINT64_MAX) origin_ = first;
}

}  // namespace hm::exports
