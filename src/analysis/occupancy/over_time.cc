// SPDX-License-Identifier: MIT
#include "analysis/occupancy/over_time.h"

#include <algorithm>

#include "analysis/occupancy/contention.h"

namespace hm::occupancy {
namespace {

using profile::OccupancyPoint;
using profile::OccupancySeries;

struct Span {
  uint64_t begin_ns = UINT64_MAX, end_ns = 0;
};

Span span_of(const std::vector<OccupancySeries>& all) {
  Span span;
  for (const OccupancySeries& each : all) {
    if (each.points.empty()) continue;
    span.begin_ns = std::min(span.begin_ns, each.points.front().time_ns);
    span.end_ns = std::max(span.end_ns, each.points.back().time_ns);
  }
  return span;
}

class Mean {
 public:
  void add(double value) {
    sum_ += value;
    ++count_;
  }
  [[nodiscard]] std::optional<double> value() const {
    return count_ == 0 ? std::nullopt : std::optional(sum_ / static_cast<double>(count_));
  }

 private:
  double sum_ = 0;
  size_t count_ = 0;
};

size_t cell_of(uint64_t time_ns, const Span& span, size_t cells) {
  double part = static_cast<double>(time_ns - span.begin_ns) /
                static_cast<double>(std::max<uint64_t>(span.end_ns - span.begin_ns, 1));
  return std::min(static_cast<size_t>(part * static_cast<double>(cells)), cells - 1);
}

Held held_by(const OccupancySeries& series, const Span& span, size_t cells) {
  Held held;
  held.name = series.name;
  held.readings = series.points.size();
  Mean mean, traffic;
  std::vector<Mean> in_cells(cells);
  for (const OccupancyPoint& point : series.points) {
    if (point.total_bytes_per_s) traffic.add(static_cast<double>(*point.total_bytes_per_s));
    if (!point.occupancy_bytes) continue;
    ++held.measured;
    mean.add(static_cast<double>(*point.occupancy_bytes));
    if (cells != 0)
      in_cells[cell_of(point.time_ns, span, cells)].add(static_cast<double>(*point.occupancy_bytes));
    if (held.most_bytes && *held.most_bytes >= *point.occupancy_bytes) continue;
    held.most_bytes = point.occupancy_bytes;
    held.most_at_ns = point.time_ns - span.begin_ns;
  }
  held.mean_bytes = mean.value();
  held.mean_bytes_per_s = traffic.value();
  for (const Mean& each : in_cells) held.cells.push_back(each.value());
  return held;
}

}  // namespace

std::optional<OverTime> held_over_time(const profile::Profile& profile, size_t cells) {
  Span span = span_of(profile.occupancy);
  if (span.end_ns == 0) return std::nullopt;
  OverTime over;
  over.lasts_ns = span.end_ns - span.begin_ns;
  for (const OccupancySeries& each : profile.occupancy) {
    over.is_modelled = over.is_modelled || each.is_modelled;
    over.cache_bytes = std::max(over.cache_bytes, each.cache_bytes);
    over.held.push_back(held_by(each, span, cells));
  }
  if (over.cache_bytes != 0) over.contentions = find_contentions(profile, over.cache_bytes, span.begin_ns);
  return over;
}

}  // namespace hm::occupancy
