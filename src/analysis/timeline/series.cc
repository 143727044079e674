// SPDX-License-Identifier: MIT
#include "analysis/timeline/series.h"

#include <algorithm>
#include <functional>
#include <map>

#include "base/parallel.h"

namespace hm::timeline {
namespace {

int64_t median(std::vector<int64_t>& numbers) {
  if (numbers.empty()) return 1;
  auto middle = numbers.begin() + static_cast<ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return std::max<int64_t>(*middle, 1);
}

// A damaged time may have any value.
int64_t since(uint64_t start, uint64_t time) {
  return static_cast<int64_t>(std::min<uint64_t>(time - start, INT64_MAX));
}

uint64_t start_of(const Axis& axis, const Tracks& tracks) {
  uint64_t start = UINT64_MAX;
  for (uint32_t sample : tracks.samples) start = std::min(start, *axis.at(sample));
  return start;
}

// Visits the points of each thread over all of its tracks, in order of time. Idle tasks are separated by CPU,
// because each CPU has its own and all have thread ID 0.
using Visit = std::function<void(const std::vector<Point*>&)>;
void for_each_thread(Series& series, const Visit& visit) {
  std::map<std::pair<uint32_t, uint32_t>, std::vector<const Track*>> threads;
  for (const Track& track : series.tracks) {
    bool is_idle_task = series.profile->threads[track.thread].tid == 0;
    threads[{track.thread, is_idle_task ? track.cpu.value_or(0) : 0}].push_back(&track);
  }
  std::vector<Point*> points;
  for (const auto& [thread, tracks] : threads) {
    points.clear();
    for (const Track* track : tracks) {
      for (size_t i = 0; i < track->count; ++i) points.push_back(&series.points[track->first + i]);
    }
    if (tracks.size() > 1) std::ranges::sort(points, {}, [](const Point* point) { return point->sample; });
    visit(points);
  }
}

bool is_clock(const perf_event_attr& attr) {
  return attr.type == PERF_TYPE_SOFTWARE &&
         (attr.config == PERF_COUNT_SW_CPU_CLOCK || attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

// Returns the time that the point's sample represents, from its own period, which the clock counts in
// nanoseconds. Returns nullopt for other events and for samples without a period. The distance of two samples
// may be longer: if only kernel code is sampled, user code runs in between.
std::optional<int64_t> own_interval(const Series& series, uint32_t event, const Point& point) {
  if (!is_clock(series.profile->events[event].attr)) return std::nullopt;
  std::optional<uint64_t> period = series.profile->samples.period.at(point.sample);
  if (!period || *period == 0) return std::nullopt;
  return static_cast<int64_t>(std::min<uint64_t>(*period, INT64_MAX / 2));
}

void find_interval(Series& series, uint32_t event) {
  std::vector<int64_t> intervals;
  for (const Point& point : series.points) {
    if (std::optional<int64_t> own = own_interval(series, event, point)) intervals.push_back(*own);
  }
  if (!intervals.empty()) {
    series.interval_ns = median(intervals);
    return;
  }
  for_each_thread(series, [&](const std::vector<Point*>& points) {
    for (size_t i = 1; i < points.size(); ++i) {
      if (points[i]->end_ns > points[i - 1]->end_ns)
        intervals.push_back(points[i]->end_ns - points[i - 1]->end_ns);
    }
  });
  series.interval_ns = median(intervals);
}

// Returns true if samples are taken at equal intervals of the thread's running time, as by a fixed-period
// clock.
bool is_regular(const perf_event_attr& attr) { return is_clock(attr) && attr.freq == 0; }

// Returns the longest interval for which a thread is assumed to have run. If samples are regular and the
// interval is longer, the thread slept, or a virtual machine's CPU was taken away.
int64_t longest_interval(int64_t interval, bool regular) {
  constexpr int64_t kTimes = 4;
  return regular ? interval + std::min(interval / 2, INT64_MAX - interval)
                 : interval * std::min(kTimes, INT64_MAX / interval);
}

// Returns true if a virtual machine's CPU was taken away all the time: the thread is still at the same
// instruction, in code of a file. Kernel code does not count, because delayed interrupts are all sampled at
// the instruction that enables them.
bool stood_still(const Series& series, const Point& before, const Point& point) {
  const profile::Profile& profile = *series.profile;
  const std::vector<uint32_t>& locations = profile.samples.location;
  if (locations[before.sample] != locations[point.sample]) return false;
  return profile.dsos[profile.locations[locations[point.sample]].dso].path.starts_with('/');
}

void find_begins(Series& series, uint32_t event) {
  bool regular = is_regular(series.profile->events[event].attr);
  for_each_thread(series, [&](const std::vector<Point*>& points) {
    const Point* before = nullptr;
    for (Point* point : points) {
      // corrects a clock that went backwards
      if (before != nullptr) point->end_ns = std::max(point->end_ns, before->end_ns);
      std::optional<int64_t> own = own_interval(series, event, *point);
      int64_t interval = own.value_or(series.interval_ns);
      int64_t longest = longest_interval(interval, regular || own);
      bool was_idle = before == nullptr || point->end_ns - before->end_ns > longest;
      bool is_late = was_idle && before != nullptr && regular;
      point->begin_ns = was_idle ? point->end_ns - interval : before->end_ns;
      if (is_late && stood_still(series, *before, *point)) point->begin_ns = point->end_ns;
      before = point;
    }
  });
}

// Computes shares and dwells. A function's stretches are those ended by a branch and those that contain a
// sample.
void add_weights(Series& series) {
  constexpr size_t kPart = 1 << 16;
  size_t functions = series.profile->functions.size() + 1, workers = available_cpus();
  series.share.resize(functions);
  series.dwell.resize(functions);
  struct Counts {
    std::vector<uint64_t> sampled, stretches;
    uint64_t branches = 0, new_branches = 0;
  };
  size_t parts = std::min(series.points.size() / kPart + 1, workers);
  std::vector<Counts> counts(parts);
  parallel_for(parts, workers, [&](size_t part) {
    Counts own{std::vector<uint64_t>(functions), std::vector<uint64_t>(functions), 0, 0};
    size_t end = series.points.size() * (part + 1) / parts;
    for (size_t i = series.points.size() * part / parts; i < end; ++i) {
      const Point& point = series.points[i];
      series.prefetch_behind(i);
      uint32_t function = series.sampled_function(point);
      ++own.sampled[function];
      ++own.stretches[function];
      Series::Functions fresh = series.new_branches_of(point);
      for (uint32_t left : fresh) ++own.stretches[left];
      own.branches += series.branches_of(point).size();
      own.new_branches += fresh.size();
    }
    counts[part] = std::move(own);
  });
  uint64_t branches = 0, new_branches = 0;
  for (const Counts& each : counts) {
    branches += each.branches;
    new_branches += each.new_branches;
  }
  series.knows_only_ends = branches < 2 * new_branches;
  auto all = static_cast<double>(series.points.size());
  for (size_t i = 0; i < functions; ++i) {
    uint64_t sampled = 0, stretches = 0;
    for (const Counts& each : counts) {
      sampled += each.sampled[i];
      stretches += each.stretches[i];
    }
    series.share[i] = static_cast<double>(sampled) / all;
    series.dwell[i] = static_cast<double>(sampled) / static_cast<double>(std::max<uint64_t>(stretches, 1));
  }
}

}  // namespace

bool counts_time(const profile::Event& event) {
  const perf_event_attr& attr = event.attr;
  bool is_hardware = attr.type == PERF_TYPE_HARDWARE;
  if (is_clock(attr)) return true;
  if (is_hardware) {
    return attr.config == PERF_COUNT_HW_CPU_CYCLES || attr.config == PERF_COUNT_HW_REF_CPU_CYCLES ||
           attr.config == PERF_COUNT_HW_BUS_CYCLES;
  }
  return event.name == "clock" || event.name.find("cycles") != std::string::npos;
}

Series::Functions Series::branches_of(const Point& point) const {
  if (profile->samples.new_branches.empty()) return {};  // the branches' functions were not loaded
  return profile->samples.left_functions.items(profile->samples.branches_of(point.sample));
}

Series::Functions Series::new_branches_of(const Point& point) const {
  Functions all = branches_of(point);
  return all.empty()
             ? all
             : all.last(std::min<size_t>(all.size(), profile->samples.new_branches[point.sample].count));
}

bool Series::is_ambiguous(const Point& point) const {
  const std::vector<profile::NewBranches>& rows = profile->samples.new_branches;
  return !rows.empty() && rows[point.sample].ambiguous;
}

bool Series::is_idle(const Point& point) const {
  return profile->threads[profile->samples.thread[point.sample]].tid == 0;
}

uint32_t Series::sampled_function(const Point& point) const {
  return is_idle(point) ? idle_function()
                        : profile->locations[profile->samples.location[point.sample]].function;
}

std::span<const uint16_t> Series::new_cycles_of(const Point& point) const {
  const profile::Blocks<uint16_t>& column = profile->samples.branch_cycles;
  if (column.size() == 0) return {};
  return column.items(profile->samples.branches_of(point.sample)).last(new_branches_of(point).size());
}

Series find_series(const profile::Profile& profile, const Axis& axis, const profile::Filter& filter,
                   uint32_t event) {
  Tracks tracks = find_tracks(profile, axis, filter, event);
  Series series;
  series.profile = &profile;
  series.tracks = std::move(tracks.tracks);
  series.points.reserve(tracks.samples.size());
  uint64_t start = start_of(axis, tracks);
  for (uint32_t sample : tracks.samples) series.points.push_back({0, since(start, *axis.at(sample)), sample});
  if (series.points.empty()) return series;
  find_interval(series, event);
  find_begins(series, event);
  series.start_ns = start;
  series.end_ns = std::ranges::max(series.points, {}, &Point::end_ns).end_ns;
  add_weights(series);
  return series;
}

double Divider::share_of_before(size_t number) const {
  if (way_ != Way::kMix || !series_.knows_only_ends || number == 0) return 0;
  const Point &point = series_.points[number], &before = series_.points[number - 1];
  const std::vector<uint32_t>& threads = series_.profile->samples.thread;
  bool adjoins = before.end_ns == point.begin_ns && threads[before.sample] == threads[point.sample];
  return adjoins && !series_.is_idle(point) ? 0.5 : 0;
}

void Divider::find_parts(const Point& point, Series::Functions left, uint32_t sampled) {
  parts_.resize(left.size() + 1);
  for (size_t i = 0; i < left.size(); ++i) parts_[i] = weights_[left[i]];
  parts_.back() = weights_[sampled];
  if (way_ == Way::kCycles) {
    std::span<const uint16_t> counted = series_.new_cycles_of(point);
    cycles_.assign(parts_.size(), 0);
    std::ranges::copy(counted, cycles_.begin());
  }
  timeline::divide(way_, cycles_, parts_);
}

}  // namespace hm::timeline
