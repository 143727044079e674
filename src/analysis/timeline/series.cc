// SPDX-License-Identifier: MIT
#include "analysis/timeline/series.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "base/parallel.h"

namespace hm::timeline {
namespace {

// Returns the element of that rank, 0 <= rank < 1; reorders the numbers, of which there is at least one.
template <typename Number>
Number at_rank(std::vector<Number>& numbers, double rank) {
  auto element = numbers.begin() + static_cast<ptrdiff_t>(static_cast<double>(numbers.size()) * rank);
  std::ranges::nth_element(numbers, element);
  return *element;
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

// The lengths of time on the axis that samples represent, by their periods. The distance of two samples of a
// thread may be longer: if only kernel code is sampled, user code runs in between.
class Intervals {
 public:
  Intervals(Series& series, Unit unit, uint32_t event) : series_(series) {
    const profile::Event& of = series.profile->events[event];
    // The kernel's clock counts nanoseconds, the software PMU's modelled cycles.
    bool is_software_pmu_clock = of.name == "clock" && of.attr.type == PERF_TYPE_RAW;
    is_exact_ = unit == Unit::kCycles ? is_software_pmu_clock : is_clock(of.attr);
    find_units_per_event(of.attr);
    find_typical();
  }

  // Returns nullopt if all samples stand for the typical interval, or the sample has no period.
  [[nodiscard]] std::optional<int64_t> own(const Point& point) const {
    std::optional<uint64_t> period = series_.profile->samples.period.at(point.sample);
    if (units_per_event_ == 0 || period.value_or(0) == 0) return std::nullopt;
    double interval = static_cast<double>(*period) * units_per_event_;
    return static_cast<int64_t>(std::clamp(interval, 1.0, 0x1p62));
  }
  // Whether periods count what the axis shows.
  [[nodiscard]] bool are_exact() const { return is_exact_; }

 private:
  // visit(PERIOD, GAP) for each sample with the length of time since the thread's last one.
  template <typename Visit>
  void for_each_gap(Visit&& visit) const {
    for_each_thread(series_, [&](const std::vector<Point*>& points) {
      for (size_t i = 1; i < points.size(); ++i) {
        int64_t gap = points[i]->end_ns - points[i - 1]->end_ns;
        if (gap > 0) visit(series_.profile->samples.period.at(points[i]->sample).value_or(0), gap);
      }
    });
  }

  // Periods that differ although none was asked to adapt have grown with the run, and so have the gaps.
  void find_units_per_event(const perf_event_attr& attr) {
    if (is_exact_) {
      units_per_event_ = 1;
      return;
    }
    if (attr.freq != 0) return;
    uint64_t shortest = UINT64_MAX, longest = 0;
    std::vector<double> ratios;
    for_each_gap([&](uint64_t period, int64_t gap) {
      if (period == 0) return;
      shortest = std::min(shortest, period);
      longest = std::max(longest, period);
      ratios.push_back(static_cast<double>(gap) / static_cast<double>(period));
    });
    if (longest > shortest) units_per_event_ = at_rank(ratios, 0.5);
  }

  void find_typical() {
    std::vector<int64_t> intervals;
    for (const Point& point : series_.points) {
      if (std::optional<int64_t> interval = own(point)) intervals.push_back(*interval);
    }
    if (intervals.empty()) for_each_gap([&](uint64_t, int64_t gap) { intervals.push_back(gap); });
    if (intervals.empty()) return;
    series_.interval_ns = std::max<int64_t>(at_rank(intervals, 0.5), 1);
    series_.long_interval_ns = units_per_event_ == 0 ? series_.interval_ns : at_rank(intervals, 0.99);
  }

  Series& series_;
  bool is_exact_ = false;
  double units_per_event_ = 0;
};

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

void find_begins(Series& series, const Intervals& intervals, uint32_t event) {
  bool regular = is_regular(series.profile->events[event].attr);
  for_each_thread(series, [&](const std::vector<Point*>& points) {
    const Point* before = nullptr;
    for (Point* point : points) {
      // corrects a clock that went backwards
      if (before != nullptr) point->end_ns = std::max(point->end_ns, before->end_ns);
      std::optional<int64_t> own = intervals.own(*point);
      int64_t interval = own.value_or(series.interval_ns);
      int64_t longest = longest_interval(interval, regular || (own && intervals.are_exact()));
      bool was_idle = before == nullptr || point->end_ns - before->end_ns > longest;
      bool is_late = was_idle && before != nullptr && regular;
      point->begin_ns = was_idle ? point->end_ns - interval : before->end_ns;
      if (is_late && stood_still(series, *before, *point)) point->begin_ns = point->end_ns;
      before = point;
    }
  });
}

// Computes shares and dwells. A function's stretches are those ended by a branch and those that contain a
// sample. Each sample has the weight of its interval.
void add_weights(Series& series, const Intervals& intervals) {
  constexpr size_t kPart = 1 << 16;
  size_t functions = series.profile->functions.size() + 1, workers = available_cpus();
  series.share.resize(functions);
  series.dwell.resize(functions);
  struct Counts {
    std::vector<double> sampled, stretches;
    uint64_t branches = 0, new_branches = 0;
  };
  size_t parts = std::min(series.points.size() / kPart + 1, workers);
  std::vector<Counts> counts(parts);
  parallel_for(parts, workers, [&](size_t part) {
    Counts own{std::vector<double>(functions), std::vector<double>(functions), 0, 0};
    size_t end = series.points.size() * (part + 1) / parts;
    for (size_t i = series.points.size() * part / parts; i < end; ++i) {
      const Point& point = series.points[i];
      series.prefetch_behind(i);
      uint32_t function = series.sampled_function(point);
      auto weight = static_cast<double>(intervals.own(point).value_or(series.interval_ns)) /
                    static_cast<double>(series.interval_ns);
      own.sampled[function] += weight;
      own.stretches[function] += weight;
      Series::Functions fresh = series.new_branches_of(point);
      for (uint32_t left : fresh) own.stretches[left] += weight;
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
  double all = 0;
  for (const Counts& each : counts) all = std::accumulate(each.sampled.begin(), each.sampled.end(), all);
  for (size_t i = 0; i < functions; ++i) {
    double sampled = 0, stretches = 0;
    for (const Counts& each : counts) {
      sampled += each.sampled[i];
      stretches += each.stretches[i];
    }
    series.share[i] = sampled / all;
    series.dwell[i] = stretches > 0 ? sampled / stretches : 0;
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
  Intervals intervals(series, axis.unit(), event);
  find_begins(series, intervals, event);
  series.start_ns = start;
  series.end_ns = std::ranges::max(series.points, {}, &Point::end_ns).end_ns;
  add_weights(series, intervals);
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
