// SPDX-License-Identifier: MIT
#include "analysis/timeline/series.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>

#include "analysis/timeline/quantile.h"
#include "base/parallel.h"

namespace hm::timeline {
namespace {

// A damaged time may have any value.
int64_t since(uint64_t start, uint64_t time) {
  return static_cast<int64_t>(std::min<uint64_t>(time - start, INT64_MAX));
}

uint64_t start_of(const profile::TimeAxis& axis, const Tracks& tracks) {
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
  Intervals(Series& series, profile::TimeUnit unit, uint32_t event) : series_(series) {
    const profile::Event& of = series.profile->events[event];
    // The kernel's clock counts nanoseconds, the software PMU's modelled cycles.
    bool is_software_pmu_clock = of.name == "clock" && of.attr.type == PERF_TYPE_RAW;
    is_exact_ = unit == profile::TimeUnit::kCycles ? is_software_pmu_clock : is_clock(of.attr);
    units_per_event_ = is_exact_ ? 1 : 0;
    std::vector<int64_t> lengths = own_lengths();
    if (lengths.empty()) {
      std::vector<Gap> gaps = find_gaps();
      if (of.attr.freq == 0) units_per_event_ = units_in(gaps);
      lengths = own_lengths();
      if (lengths.empty()) std::ranges::transform(gaps, std::back_inserter(lengths), &Gap::length);
    }
    if (lengths.empty()) return;
    series.interval_ns = std::max<int64_t>(quantile(lengths, 0.5), 1);
    series.long_interval_ns = units_per_event_ == 0 ? series.interval_ns : quantile(lengths, kAlmostAll);
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
  struct Gap {
    uint64_t period;  // of the sample at its end; 0: unknown
    int64_t length;   // since the thread's sample before
  };

  [[nodiscard]] std::vector<Gap> find_gaps() const {
    std::vector<Gap> gaps;
    for_each_thread(series_, [&](const std::vector<Point*>& points) {
      for (size_t i = 1; i < points.size(); ++i) {
        int64_t length = points[i]->end_ns - points[i - 1]->end_ns;
        uint64_t period = series_.profile->samples.period.at(points[i]->sample).value_or(0);
        if (length > 0) gaps.push_back({period, length});
      }
    });
    return gaps;
  }

  // Returns 0 if all periods are equal. If they differ although none was asked to adapt, they have grown with
  // the run, and so have the gaps.
  static double units_in(const std::vector<Gap>& gaps) {
    uint64_t shortest = UINT64_MAX, longest = 0;
    std::vector<double> ratios;
    for (const Gap& gap : gaps) {
      if (gap.period == 0) continue;
      shortest = std::min(shortest, gap.period);
      longest = std::max(longest, gap.period);
      ratios.push_back(static_cast<double>(gap.length) / static_cast<double>(gap.period));
    }
    return longest > shortest ? quantile(ratios, 0.5) : 0;
  }

  [[nodiscard]] std::vector<int64_t> own_lengths() const {
    std::vector<int64_t> lengths;
    if (units_per_event_ == 0) return lengths;
    for (const Point& point : series_.points) {
      if (std::optional<int64_t> length = own(point)) lengths.push_back(*length);
    }
    return lengths;
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

Series find_series(const profile::Profile& profile, const profile::TimeAxis& axis,
                   const profile::Filter& filter, uint32_t event) {
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
