// SPDX-License-Identifier: MIT
#include "analysis/occupancy/occupancy_over_time.h"

#include <algorithm>

#include "analysis/occupancy/contention.h"
#include "analysis/occupancy/names.h"

namespace hm::occupancy {
namespace {

using profile::OccupancyPoint;
using profile::OccupancySeries;

struct Span {
  uint64_t begin_ns = UINT64_MAX, end_ns = 0;

  [[nodiscard]] bool has(uint64_t time_ns) const { return time_ns >= begin_ns && time_ns <= end_ns; }
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

// Returns the zero of time: the first sample, or the first reading if no sample precedes it.
uint64_t origin_of(const profile::Profile& profile, const Span& readings) {
  std::optional<uint64_t> first = profile.samples.size() == 0 ? std::nullopt : profile.samples.time_ns.at(0);
  return std::min(first.value_or(readings.begin_ns), readings.begin_ns);
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

Held held_by(const OccupancySeries& series, const Span& span, uint64_t origin_ns, size_t cells) {
  Held held;
  held.name = series.name;
  held.short_name = short_name_of(series.name);
  Mean mean, traffic;
  std::vector<Mean> in_cells(cells);
  for (const OccupancyPoint& point : series.points) {
    if (!span.has(point.time_ns)) continue;
    ++held.readings;
    if (point.total_bytes_per_s) traffic.add(static_cast<double>(*point.total_bytes_per_s));
    if (!point.occupancy_bytes) continue;
    ++held.measured;
    mean.add(static_cast<double>(*point.occupancy_bytes));
    if (cells != 0)
      in_cells[cell_of(point.time_ns, span, cells)].add(static_cast<double>(*point.occupancy_bytes));
    if (held.max_bytes && *held.max_bytes >= *point.occupancy_bytes) continue;
    held.max_bytes = point.occupancy_bytes;
    held.max_at_ns = point.time_ns - origin_ns;
  }
  held.mean_bytes = mean.value();
  held.mean_bytes_per_s = traffic.value();
  for (const Mean& each : in_cells) held.cells.push_back(each.value());
  return held;
}

}  // namespace

std::optional<OverTime> held_over_time(const profile::Profile& profile, size_t cells, const Part& part,
                                       const std::vector<SizedProgram>& programs) {
  Span all = span_of(profile.occupancy);
  if (all.end_ns == 0) return std::nullopt;
  uint64_t origin = origin_of(profile, all);
  const auto since_origin = [&](uint64_t ns) { return ns > UINT64_MAX - origin ? UINT64_MAX : origin + ns; };
  Span span{std::max(all.begin_ns, since_origin(part.from_ns)),
            std::min(all.end_ns, since_origin(part.to_ns))};
  if (span.begin_ns > span.end_ns) return std::nullopt;
  OverTime over;
  over.begin_ns = span.begin_ns - origin;
  over.end_ns = span.end_ns - origin;
  for (const OccupancySeries& each : profile.occupancy) {
    over.is_modelled = over.is_modelled || each.is_modelled;
    over.cache_bytes = std::max(over.cache_bytes, each.cache_bytes);
    over.held.push_back(held_by(each, span, origin, cells));
  }
  if (over.cache_bytes != 0) over.contentions = find_contentions(profile, over.cache_bytes, origin, programs);
  return over;
}

}  // namespace hm::occupancy
