// SPDX-License-Identifier: MIT
#include "analysis/timeline/window_builder.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hm::timeline {
namespace {

constexpr uint32_t kNotShown = std::numeric_limits<uint32_t>::max();

// Returns the indices of the largest positive amounts, largest first.
std::vector<uint32_t> largest(const std::vector<double>& amounts, size_t limit) {
  std::vector<uint32_t> order(amounts.size());
  std::iota(order.begin(), order.end(), 0u);
  std::erase_if(order, [&](uint32_t each) { return amounts[each] <= 0; });
  std::ranges::stable_sort(order, std::greater(), [&](uint32_t each) { return amounts[each]; });
  if (limit != 0 && order.size() > limit) order.resize(limit);
  return order;
}

}  // namespace

WindowBuilder::WindowBuilder(const Source& source, const Window& window, Timeline& to)
    : source_(source), index_(source.index), window_(window), to_(to), lanes_(source.profile, window.by) {
  for (uint32_t i = 0; i < source.profile.functions.size(); ++i)
    shown_function_.push_back(source.filter.passes_function(source.profile, i));
  shown_function_.push_back(true);  // the idle task
}

Status WindowBuilder::build() {
  number_lanes();
  add_totals();
  if (Status fits = check_cells(); !fits) return fits;
  fill_bins();
  count_events();
  for (const CountedEvent& each : source_.rated) to_.rates.push_back(find_rate(each, source_.gaps, bins()));
  add_moments();
  return {};
}

Status WindowBuilder::check_cells() const {
  size_t of_a_lane = bins().cells() * (to_.functions.size() + 1 + source_.counted.size());
  if (of_a_lane == 0 || to_.lanes.size() <= window_.max_cells / of_a_lane) return {};
  return make_error(ErrorCode::kInvalidArgument,
                    "a time line of {} lanes, {} functions and {} bins is too large: choose fewer of them",
                    to_.lanes.size(), to_.functions.size(), bins().cells());
}

Grid WindowBuilder::whole_window() const {
  auto begin = static_cast<int64_t>(to_.begin_ns), end = static_cast<int64_t>(to_.end_ns);
  return {begin, end, end - begin};
}

Grid WindowBuilder::bins() const {
  return {static_cast<int64_t>(to_.begin_ns), static_cast<int64_t>(to_.end_ns),
          static_cast<int64_t>(to_.bin_ns)};
}

void WindowBuilder::number_lanes() {
  for (const Track& track : index_.series().tracks) lane_of_track_.push_back(lanes_.of(track));
}

void WindowBuilder::add_totals() {
  Times of_functions(shown_function_.size()), of_lanes(lanes_.names().size());
  std::vector<uint64_t> samples(lanes_.names().size());
  for (size_t track = 0; track < lane_of_track_.size(); ++track) {
    index_.for_each_time(track, whole_window(), [&](size_t, uint32_t function, double ns) {
      if (!shown_function_[function]) return;
      of_functions[function] += ns;
      of_lanes[lane_of_track_[track]] += ns;
    });
    PointCounts counts =
        index_.count(track, static_cast<int64_t>(to_.begin_ns), static_cast<int64_t>(to_.end_ns));
    samples[lane_of_track_[track]] += counts.points;
    to_.points += counts;
  }
  choose_functions(of_functions);
  choose_lanes(of_lanes);
  for (size_t lane = 0; lane < samples.size(); ++lane) {
    if (row_of_[lane] != SIZE_MAX) to_.lanes[row_of_[lane]].samples = samples[lane];
  }
}

Function WindowBuilder::function_row(uint32_t number, double ns) const {
  const profile::Profile& profile = source_.profile;
  if (number == index_.series().idle_function()) return {"[idle]", "", ns, Function::Kind::kIdle};
  const profile::FunctionRow& row = profile.functions[number];
  return {row.name, std::string(profile.dsos[row.dso].name()), ns,
          row.dso == 0 ? Function::Kind::kUnknown : Function::Kind::kCode};
}

void WindowBuilder::choose_functions(const Times& ns) {
  std::vector<uint32_t> order = largest(ns, window_.functions);
  auto others = static_cast<uint32_t>(order.size());
  column_of_.assign(ns.size(), others);
  for (uint32_t number : order) {
    column_of_[number] = static_cast<uint32_t>(to_.functions.size());
    to_.functions.push_back(function_row(number, ns[number]));
  }
  for (size_t i = 0; i < ns.size(); ++i) {
    if (!shown_function_[i])
      column_of_[i] = kNotShown;
    else if (column_of_[i] == others)
      to_.other_ns += ns[i];
  }
}

void WindowBuilder::choose_lanes(const Times& ns) {
  to_.all_lanes = lanes_.names().size();
  row_of_.assign(to_.all_lanes, SIZE_MAX);
  for (uint32_t lane : largest(ns, window_.lanes)) {
    row_of_[lane] = to_.lanes.size();
    const LaneName& name = lanes_.names()[lane];
    to_.lanes.push_back({name.text, ns[lane], std::nullopt, {}, {}, 0, name.pid, name.program});
  }
  if (window_.by != By::kProcess) find_idle(ns);
}

// Idle time: the window, clipped to the lane's first and last sample, minus the running time.
void WindowBuilder::find_idle(const Times& ns) {
  const Series& series = index_.series();
  struct Extent {
    int64_t begin = std::numeric_limits<int64_t>::max(), end = 0;
  };
  std::vector<Extent> extents(to_.all_lanes);
  for (size_t i = 0; i < series.tracks.size(); ++i) {
    std::span<const Point> points = series.points_of(series.tracks[i]);
    Extent& extent = extents[lane_of_track_[i]];
    extent.begin = std::min(extent.begin, points.front().begin_ns);
    extent.end = std::max(extent.end, points.back().end_ns);
  }
  for (size_t lane = 0; lane < extents.size(); ++lane) {
    if (row_of_[lane] == SIZE_MAX) continue;
    auto begin = static_cast<double>(std::max(extents[lane].begin, static_cast<int64_t>(to_.begin_ns)));
    auto end = static_cast<double>(std::min(extents[lane].end, static_cast<int64_t>(to_.end_ns)));
    constexpr double kRounding = 1e-6;  // relative rounding error of float sums
    double idle = end - begin - ns[lane];
    to_.lanes[row_of_[lane]].idle_ns = idle > std::max(kRounding * (end - begin), 0.5) ? idle : 0;
  }
}

void WindowBuilder::fill_bins() {
  Grid grid = bins();
  for (Lane& lane : to_.lanes) lane.bins.resize(bins().cells());
  for (size_t track = 0; track < lane_of_track_.size(); ++track) {
    size_t row = row_of_[lane_of_track_[track]];
    if (row == SIZE_MAX) continue;
    std::vector<Bin>& cells = to_.lanes[row].bins;
    index_.for_each_time(track, grid, [&](size_t bin, uint32_t function, double ns) {
      if (column_of_[function] == kNotShown || bin >= cells.size()) return;
      cells[bin].ns.resize(to_.functions.size() + 1);
      cells[bin].ns[column_of_[function]] += static_cast<float>(ns);
    });
  }
}

void WindowBuilder::count_events() {
  for (const CountedEvent& counted : source_.counted) {
    EventCount count{counted.event};
    for (Lane& lane : to_.lanes) lane.counts.emplace_back(bins().cells());
    for (size_t track = 0; track < counted.times.tracks().size(); ++track) {
      // Skips lanes that have samples of this event only.
      uint32_t lane = lanes_.of(counted.times.tracks()[track]);
      size_t row = lane < row_of_.size() ? row_of_[lane] : SIZE_MAX;
      auto begin = static_cast<int64_t>(to_.begin_ns), end = static_cast<int64_t>(to_.end_ns);
      count.all += counted.times.count(track, begin, end);
      if (row == SIZE_MAX) continue;
      counted.times.add_counts(track, bins(), to_.lanes[row].counts.back());
    }
    for (const Lane& lane : to_.lanes)
      count.most = std::max(count.most, std::ranges::max(lane.counts.back()));
    to_.counts.push_back(std::move(count));
  }
}

void WindowBuilder::add_moments() {
  struct Taken {
    Point point;
    uint32_t lane;
  };
  std::vector<Taken> all;
  const Series& series = index_.series();
  auto begin = static_cast<int64_t>(to_.begin_ns), end = static_cast<int64_t>(to_.end_ns);
  for (size_t i = 0; i < series.tracks.size() && window_.samples > 0; ++i) {
    std::span<const Point> points = series.points_of(series.tracks[i]);
    auto first = std::ranges::lower_bound(points, begin, {}, &Point::end_ns);
    size_t left = window_.samples;
    for (auto each = first; each != points.end() && each->end_ns <= end && left > 0; ++each, --left)
      all.push_back({*each, lane_of_track_[i]});
  }
  std::ranges::stable_sort(all, {}, [](const Taken& each) { return each.point.end_ns; });
  if (all.size() > window_.samples) all.resize(window_.samples);
  for (const Taken& each : all) to_.moments.push_back(moment_of(each.point, lanes_.names()[each.lane].text));
}

Moment WindowBuilder::moment_of(const Point& point, const std::string& lane) const {
  const profile::Profile& profile = source_.profile;
  const Series& series = index_.series();
  Series::Functions branches = series.branches_of(point);
  size_t fresh = series.new_branches_of(point).size();
  uint32_t sampled = profile.locations[profile.samples.location[point.sample]].function;
  Moment moment{static_cast<uint64_t>(point.end_ns),
                lane,
                profile.functions[sampled].name,
                {},
                series.is_ambiguous(point)};
  for (size_t i = 0; i < branches.size(); ++i)
    moment.branches.push_back({profile.functions[branches[i]].name, i + fresh >= branches.size()});
  return moment;
}

}  // namespace hm::timeline
