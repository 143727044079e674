// SPDX-License-Identifier: MIT
#include "analysis/timeline/points.h"

#include <algorithm>
#include <unordered_map>

namespace hm::timeline {
namespace {

uint32_t function_of(const profile::Profile& profile, uint32_t location) {
  return profile.locations[location].function;
}

Stack stack_of(const profile::Profile& profile, size_t sample) {
  const profile::Samples& samples = profile.samples;
  // Of the calls that have not returned yet nothing tells when they were made.
  if (record::is_call_stack(profile.events[samples.event[sample]].attr.branch_sample_type)) return {};
  profile::Slice slice = samples.branches_of(sample);
  return without_empty(Stack(samples.branches).subspan(slice.offset, slice.count));
}

uint64_t median(std::vector<uint64_t>& numbers) {
  if (numbers.empty()) return 1;
  auto middle = numbers.begin() + static_cast<ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return std::max<uint64_t>(*middle, 1);
}

// From one sample of a thread to its next.
uint64_t median_interval(const profile::Profile& profile, const std::vector<size_t>& samples) {
  std::vector<uint64_t> intervals;
  std::unordered_map<uint32_t, uint64_t> last;  // by thread
  for (size_t sample : samples) {
    uint64_t time = *profile.samples.time_ns.at(sample);
    auto [before, is_first] = last.try_emplace(profile.samples.thread[sample], time);
    if (!is_first && time > before->second) intervals.push_back(time - before->second);
    before->second = time;
  }
  return median(intervals);
}

std::vector<Point> points_of(const profile::Profile& profile, const std::vector<size_t>& samples,
                             uint64_t interval_ns) {
  constexpr uint64_t kMuchLonger = 4;
  struct Last {
    uint64_t time_ns;
    Stack stack;
    std::optional<uint64_t> index;
  };
  std::unordered_map<uint32_t, Last> threads;
  std::vector<Point> points;
  points.reserve(samples.size());
  for (size_t sample : samples) {
    Point point{sample, 0, *profile.samples.time_ns.at(sample), 0, stack_of(profile, sample), {}};
    std::optional<uint64_t> index = profile.samples.branch_index.at(sample);
    auto [last, is_first] =
        threads.try_emplace(profile.samples.thread[sample], Last{point.end_ns, {}, std::nullopt});
    uint64_t since = point.end_ns - std::min(last->second.time_ns, point.end_ns);
    bool was_idle = is_first || since > kMuchLonger * interval_ns;
    uint64_t lasted = was_idle ? interval_ns : since;
    point.begin_ns = point.end_ns - std::min(lasted, point.end_ns);
    point.idle_ns = was_idle && !is_first ? since - lasted : 0;
    std::optional<HardwareIndices> indices;
    if (index && last->second.index) indices = HardwareIndices{*last->second.index, *index};
    point.fresh = find_new(point.stack, last->second.stack, indices);
    last->second = {std::max(last->second.time_ns, point.end_ns), point.stack, index};
    points.push_back(point);
  }
  return points;
}

// Shares and dwells. A function's stretches are those that a branch ended, and those that a sample was taken
// in.
void add_weights(const profile::Profile& profile, Series& series) {
  std::vector<double> sampled(profile.functions.size()), stretches(profile.functions.size());
  for (const Point& point : series.points) {
    uint32_t function = function_of(profile, profile.samples.location[point.sample]);
    ++sampled[function];
    ++stretches[function];
    for (const profile::Branch& branch : point.stack.first(point.fresh.count))
      ++stretches[function_of(profile, branch.from)];
  }
  auto all = static_cast<double>(series.points.size());
  for (size_t i = 0; i < stretches.size(); ++i) {
    series.share.push_back(sampled[i] / all);
    series.dwell.push_back(sampled[i] / std::max(stretches[i], 1.0));
  }
}

}  // namespace

Series series_of(const profile::Profile& profile, const std::vector<size_t>& samples) {
  Series series;
  series.begin_ns = *profile.samples.time_ns.at(samples.front());
  series.end_ns = std::max(series.begin_ns, *profile.samples.time_ns.at(samples.back()));
  series.interval_ns = median_interval(profile, samples);
  series.points = points_of(profile, samples, series.interval_ns);
  add_weights(profile, series);
  return series;
}

Series find_series(const profile::Profile& profile, const profile::Filter& filter, uint32_t event) {
  std::vector<size_t> samples;
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    if (profile.samples.event[i] == event && profile.samples.time_ns.at(i) && filter.passes(profile, i))
      samples.push_back(i);
  }
  return samples.empty() ? Series() : series_of(profile, samples);
}

std::vector<Piece> pieces_of(const profile::Profile& profile, const Series& series, const Point& point,
                             Way way) {
  std::vector<Piece> pieces;
  std::vector<Stretch> stretches;
  const auto add = [&](uint32_t location, uint16_t cycles) {
    uint32_t function = function_of(profile, location);
    pieces.push_back({function});
    stretches.push_back({series.share[function], cycles, series.dwell[function]});
  };
  for (size_t i = point.fresh.count; i-- > 0;) add(point.stack[i].from, point.stack[i].entry.cycles);
  add(profile.samples.location[point.sample], 0);
  auto lasted = static_cast<double>(point.end_ns - point.begin_ns);
  std::vector<double> parts = divide(way, stretches);
  double begin = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    pieces[i].begin_ns = point.begin_ns + static_cast<uint64_t>(begin);
    pieces[i].ns = parts[i] * lasted;
    begin += pieces[i].ns;
  }
  return pieces;
}

}  // namespace hm::timeline
