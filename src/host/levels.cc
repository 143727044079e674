// SPDX-License-Identifier: MIT
#include "host/levels.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace hm::host {
namespace {

constexpr double kWindow = 0.25;      // octaves over which slopes are computed
constexpr double kFlatSlope = 0.2;    // maximum slope of a plateau; see plateau_of()
constexpr double kNarrowest = 0.375;  // octaves; a narrower plateau may be a coincidence
constexpr double kRisingSlope = 0.35;
// Fraction of the latency, for levels before the last: more scatter is a disturbed step.
constexpr double kWidestInterval = 0.25;

// A point on logarithmic scales, on which a factor is a distance.
struct LogPoint {
  double size = 0;
  double latency = 0;
  double slope = 0;
};

using LogCurve = std::vector<LogPoint>;

// Latency cannot fall as size grows. If it seems to, replaces the points by the closest (least squares) curve
// that does not fall: pooling adjacent violators (Barlow et al., "Statistical Inference under Order
// Restrictions").
void make_rising(LogCurve& curve) {
  struct Pool {
    double sum;
    size_t count;
    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (const LogPoint& point : curve) {
    Pool pool{point.latency, 1};
    for (; !pools.empty() && pools.back().mean() > pool.mean(); pools.pop_back()) {
      pool.sum += pools.back().sum;
      pool.count += pools.back().count;
    }
    pools.push_back(pool);
  }
  auto at = curve.begin();
  for (const Pool& pool : pools) {
    for (size_t i = 0; i < pool.count; ++i) (at++)->latency = pool.mean();
  }
}

// Interpolates linearly between the points. `size` must lie within the curve.
double latency_at(const LogCurve& curve, double size) {
  auto right = std::ranges::lower_bound(curve, size, {}, &LogPoint::size);
  if (right == curve.begin()) return right->latency;
  if (right == curve.end()) return curve.back().latency;
  const LogPoint& left = *std::prev(right);
  double share = (size - left.size) / (right->size - left.size);
  return left.latency + share * (right->latency - left.latency);
}

double slope_between(const LogCurve& curve, double left, double right) {
  return (latency_at(curve, right) - latency_at(curve, left)) / (right - left);
}

// Returns the smaller of the slopes on both sides, if there are both: a plateau's last point before a step
// belongs to the plateau.
double slope_at(const LogCurve& curve, double size) {
  double first = curve.front().size, last = curve.back().size;
  double on_left = size > first ? slope_between(curve, std::max(size - kWindow, first), size) : 0;
  double on_right = size < last ? slope_between(curve, size, std::min(size + kWindow, last)) : 0;
  if (size - kWindow < first) return on_right;
  if (size + kWindow > last) return on_left;
  return std::min(on_left, on_right);
}

LogCurve log_curve(const Curve& curve) {
  LogCurve logs;
  for (const Point& point : curve) {
    logs.push_back({std::log2(static_cast<double>(point.size_bytes)), std::log2(point.ns.value), 0});
  }
  if (logs.size() < 2) return logs;
  make_rising(logs);
  for (LogPoint& point : logs) point.slope = slope_at(logs, point.size);
  return logs;
}

// Indexes of the first and the last point.
struct Run {
  size_t first, last;
};

// Returns the runs of points between the steps.
std::vector<Run> runs_between_steps(const LogCurve& curve) {
  std::vector<Run> runs;
  for (size_t i = 0; i < curve.size(); ++i) {
    if (curve[i].slope >= kSteepSlope) continue;
    bool goes_on = !runs.empty() && runs.back().last + 1 == i &&
                   curve[i].latency - curve[i - 1].latency < std::log2(kDistinct);
    if (!goes_on) runs.push_back({i, i});
    runs.back().last = i;
  }
  std::erase_if(runs,
                [&](const Run& run) { return curve[run.last].size - curve[run.first].size < kNarrowest; });
  return runs;
}

// Returns the flat part of a run. A run that rises throughout, like that of a shared cache, has a flattest
// part.
Run plateau_of(const LogCurve& curve, const Run& run) {
  std::span<const LogPoint> points(curve.data() + run.first, run.last - run.first + 1);
  double limit = std::max(kFlatSlope, 1.5 * std::ranges::min_element(points, {}, &LogPoint::slope)->slope);
  auto level = [&](size_t i) { return curve[i].slope <= limit; };
  Run plateau = run;
  while (!level(plateau.first)) ++plateau.first;
  while (!level(plateau.last)) --plateau.last;
  return plateau;
}

// The interval also covers the uncertainty of the repetitions at single points.
Level level_of(const Curve& curve, const Run& plateau) {
  std::vector<double> ns, lows, highs, ghz;
  for (size_t i = plateau.first; i <= plateau.last; ++i) {
    ns.push_back(curve[i].ns.value);
    lows.push_back(curve[i].ns.low);
    highs.push_back(curve[i].ns.high);
    ghz.push_back(curve[i].core_ghz);
  }
  Estimate all = median_of(std::move(ns));
  all.low = std::min(all.low, median_of(std::move(lows)).value);
  all.high = std::max(all.high, median_of(std::move(highs)).value);
  double clock = median_of(std::move(ghz)).value;
  Estimate cycles{all.value * clock, all.low * clock, all.high * clock};
  return {curve[plateau.first].size_bytes, curve[plateau.last].size_bytes, all, cycles, {}};
}

void add_capacities(const Curve& curve, std::vector<Level>& levels) {
  for (size_t i = 0; i + 1 < levels.size(); ++i) {
    double half_way = (levels[i].ns.value + levels[i + 1].ns.value) / 2;
    auto beyond = std::ranges::find_if(curve, [&](const Point& point) {
      return point.size_bytes > levels[i].first_bytes && point.ns.value > half_way;
    });
    levels[i].capacity_bytes = std::prev(beyond)->size_bytes;
  }
}

}  // namespace

Levels find_levels(const Curve& measured) {
  Curve curve;
  std::ranges::copy_if(measured, std::back_inserter(curve), is_steady);
  LogCurve logs = log_curve(curve);
  if (logs.size() < 2) return {};
  Levels found;
  std::optional<Run> last_run;
  for (Run run : runs_between_steps(logs)) {
    Level level = level_of(curve, plateau_of(logs, run));
    bool ends_curve = run.last + 1 == logs.size();
    if (!ends_curve && level.ns.high - level.ns.low > kWidestInterval * level.ns.value) continue;
    if (last_run && level.ns.value < kDistinct * found.levels.back().ns.value) {
      run.first = last_run->first;
      level = level_of(curve, plateau_of(logs, run));
      found.levels.pop_back();
    }
    found.levels.push_back(level);
    last_run = run;
  }
  add_capacities(curve, found.levels);
  found.rises_at_end = logs.back().slope >= kRisingSlope;
  return found;
}

std::optional<Estimate> cost_between(const Curve& curve, uint64_t first_bytes, uint64_t last_bytes) {
  std::vector<double> ns;
  for (const Point& point : curve) {
    bool inside = first_bytes <= point.size_bytes && point.size_bytes <= last_bytes;
    if (inside && is_steady(point)) ns.push_back(point.ns.value);
  }
  if (ns.empty()) return std::nullopt;
  return median_of(std::move(ns));
}

std::optional<uint64_t> small_pages_suffice_to(const Curve& small, const Curve& huge) {
  constexpr double kMore = 1.1;
  std::optional<uint64_t> suffice;
  bool cost_more = false;
  // From the end, so that noise ends the search.
  for (size_t i = std::min(small.size(), huge.size()); i-- > 0;) {
    if (!is_steady(small[i]) || !is_steady(huge[i])) continue;
    suffice = small[i].size_bytes;
    if (small[i].ns.value <= kMore * huge[i].ns.value) break;
    cost_more = true;
  }
  return cost_more ? suffice : std::nullopt;
}

}  // namespace hm::host
