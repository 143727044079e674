// SPDX-License-Identifier: MIT
#include "analysis/timeline/rates.h"

#include <algorithm>

namespace hm::timeline {
namespace {

// Returns the count in each cell. The last cell is counted over a full bin length that ends at the grid's
// end.
std::vector<double> counts_of(const EventTimes& times, const Grid& grid) {
  std::vector<double> counts(grid.cells());
  int64_t begin_of_last = grid.end_ns - grid.bin_ns;
  double last = 0;
  for (size_t track = 0; track < times.tracks().size(); ++track) {
    times.add_counts(track, grid, counts);
    last += times.count(track, begin_of_last, grid.end_ns);
  }
  if (!counts.empty()) counts.back() = last;
  return counts;
}

std::vector<bool> cells_with(const std::vector<TimeSpan>& gaps, const Grid& grid) {
  std::vector<bool> cells(grid.cells());
  for (const TimeSpan& gap : gaps) {
    size_t last = std::min(grid.bin_of(gap.end_ns), cells.size() - 1);
    for (size_t cell = grid.bin_of(gap.begin_ns); cell <= last; ++cell) cells[cell] = true;
  }
  return cells;
}

void add_rates(const std::vector<double>& counts, const std::vector<bool>& has_gap, const Grid& grid,
               Rate& rate) {
  for (size_t cell = 0; cell < counts.size(); ++cell) {
    if (counts[cell] == 0 && has_gap[cell]) {
      rate.per_billion.emplace_back();
      continue;
    }
    double per_billion = counts[cell] * 1e9 / static_cast<double>(grid.bin_ns);
    rate.per_billion.emplace_back(per_billion);
    rate.max_per_billion = std::max(rate.max_per_billion.value_or(0), per_billion);
  }
}

}  // namespace

Rate find_rate(const CountedEvent& counted, const std::vector<Gap>& gaps, const Grid& grid) {
  Rate rate;
  rate.event = counted.event;
  rate.gaps = gaps_of(gaps, counted.number, grid);
  if (!counted.has_times) {
    rate.per_billion.resize(grid.cells());
    return rate;
  }
  for (size_t track = 0; track < counted.times.tracks().size(); ++track) {
    rate.samples += counted.times.count_samples(track, grid.begin_ns, grid.end_ns);
    rate.events += counted.times.count(track, grid.begin_ns, grid.end_ns);
  }
  add_rates(counts_of(counted.times, grid), cells_with(rate.gaps, grid), grid, rate);
  return rate;
}

}  // namespace hm::timeline
