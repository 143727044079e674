// SPDX-License-Identifier: MIT
#include "app/measure/soft/burst_errors.h"

#include <algorithm>
#include <cmath>

#include "analysis/diff/statistics.h"

namespace hm::measure {

std::optional<double> relative_error(const soft::BurstSums& sums, event::EventId id) {
  unsigned i = event::index_of(id);
  if (sums.bursts < 2 || sums.events[i] == 0) return std::nullopt;
  auto bursts = static_cast<double>(sums.bursts), events = static_cast<double>(sums.events[i]);
  double ratio = events / static_cast<double>(sums.slots);
  double squares = static_cast<double>(sums.events_squared[i]) -
                   2 * ratio * static_cast<double>(sums.products[i]) +
                   ratio * ratio * static_cast<double>(sums.slots_squared);
  double variance = std::max(squares, 0.0) * bursts / (bursts - 1);
  return diff::student_t(bursts - 1) * std::sqrt(variance) / events;
}

std::optional<double> relative_error(const soft::Totals& totals, event::EventId id, bool in_episodes) {
  return relative_error(in_episodes ? totals.episodes : totals.bursts, id);
}

}  // namespace hm::measure
