// SPDX-License-Identifier: MIT
// The time between a profile's samples, as stretches in one function each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/timeline/tracks.h"
#include "analysis/timeline/ways.h"

namespace hm::timeline {

// A sample, and the time that it stands for: since its thread's sample before, or, where none came for much
// longer than usual (4 times; of the clock one and a half times its period), as long as usual, of the clock
// its period; none, where the clock's samples tell that the CPU was taken away. It was taken at the end.
// Times are since the series' first sample.
struct Point {
  int64_t begin_ns = 0, end_ns = 0;
  uint32_t sample = 0;
};

// The samples of one event. It points into the profile.
struct Series {
  const profile::Profile* profile = nullptr;
  std::vector<Track> tracks;
  std::vector<Point> points;  // of the tracks, one behind the other
  // By function; the last one is that of the idle task, whatever code that runs.
  std::vector<double> share;  // its part of these samples
  std::vector<double> dwell;  // Weight::kDwell
  uint64_t start_ns = 0;      // the first sample's time, on the axis
  int64_t end_ns = 0;         // the last sample's time
  int64_t interval_ns = 1;    // from one sample of a thread to its next, of the clock its period: the median
  // 99th percentile of the intervals: what a sample stands for at most, but for a few. Unequal periods differ
  // from interval_ns; those of the software PMU grow with the run.
  int64_t long_interval_ns = 1;
  // Most branches are new: the stacks are shorter than what ran from one sample to the next, of which only
  // the end is known then. Those that seem to be old are mostly others that look like them.
  bool knows_only_ends = false;

  [[nodiscard]] uint32_t idle_function() const { return static_cast<uint32_t>(share.size() - 1); }
  [[nodiscard]] std::span<const Point> points_of(const Track& track) const {
    return std::span(points).subspan(track.first, track.count);
  }
  using Functions = std::span<const uint32_t>;
  // That its branches left, oldest first; those of the new branches are the last of all.
  [[nodiscard]] Functions branches_of(const Point& point) const;
  [[nodiscard]] Functions new_branches_of(const Point& point) const;
  [[nodiscard]] bool is_ambiguous(const Point& point) const;
  // Whether the idle task ran.
  [[nodiscard]] bool is_idle(const Point& point) const;
  [[nodiscard]] uint32_t sampled_function(const Point& point) const;
  // Of the new branches, oldest first; 0 where not counted.
  [[nodiscard]] std::span<const uint16_t> new_cycles_of(const Point& point) const;
  // Hints that the functions of `points[number]`'s near successors are wanted soon: a track's samples are far
  // apart in the profile.
  static constexpr size_t kPrefetchDistance = 6;
  void prefetch_behind(size_t number) const {
    if (number + kPrefetchDistance >= points.size()) return;
    Functions next = branches_of(points[number + kPrefetchDistance]);
    constexpr size_t kPerCacheLine = 16;
    for (size_t i = 0; i < next.size(); i += kPerCacheLine) __builtin_prefetch(&next[i]);
  }
};

// Whether the event counts time: the clock, cycles, or the cost model's.
[[nodiscard]] bool counts_time(const profile::Event& event);

// As find_tracks(); without points where no sample passes.
[[nodiscard]] Series find_series(const profile::Profile& profile, const Axis& axis,
                                 const profile::Filter& filter, uint32_t event);

// Divides points' time over the functions that ran in it.
class Divider {
 public:
  Divider(const Series& series, Way way)
      : series_(series),
        weights_(weight_of(way) == Weight::kShare ? series.share : series.dwell),
        way_(way) {}

  // Of the point of this number, visit(FUNCTION, BEGIN, END, PART): from BEGIN to END, times as Point's, as
  // double, the function had PART of the time, which is 1 where they ran one after the other, oldest first.
  template <typename Visit>
  void divide(size_t number, Visit&& visit) {
    const Point& point = series_.points[number];
    auto begin = static_cast<double>(point.begin_ns), last = static_cast<double>(point.end_ns);
    if (way_ == Way::kMix && series_.knows_only_ends && !series_.is_idle(point)) {
      double of_before = share_of_before(number);
      for_each_part(point, [&](uint32_t function, double share) {
        visit(function, begin, last, (1 - of_before) * share);
      });
      if (of_before == 0) return;
      for_each_part(series_.points[number - 1], [&](uint32_t function, double share) {
        visit(function, begin, last, of_before * share);
      });
      return;
    }
    double lasted = last - begin, end = begin;
    for_each_part(point, [&](uint32_t function, double share) {
      begin = end;
      end += share * lasted;
      if (begin < end) visit(function, begin, end, 1.0);
    });
  }

  // Of points in a row, `first` and the next: visit(FUNCTION, NS), any number of times for each function. As
  // divide(), quicker: each point's branches are looked at once.
  template <typename Visit>
  void add_up(size_t first, size_t count, Visit&& visit) {
    const auto add = [&](size_t number, double ns) {
      for_each_part(series_.points[number],
                    [&](uint32_t function, double share) { visit(function, share * ns); });
    };
    double of_before = share_of_before(first) * length_of(first);
    if (of_before > 0) add(first - 1, of_before);
    for (size_t number = first; number < first + count; ++number) {
      double own = length_of(number) - of_before;
      of_before = number + 1 < first + count ? share_of_before(number + 1) * length_of(number + 1) : 0;
      series_.prefetch_behind(number);
      add(number, own + of_before);
    }
  }

 private:
  [[nodiscard]] double length_of(size_t number) const {
    return static_cast<double>(series_.points[number].end_ns - series_.points[number].begin_ns);
  }
  // visit(FUNCTION, PART of the time), oldest first.
  template <typename Visit>
  void for_each_part(const Point& point, Visit&& visit) {
    Series::Functions left = series_.is_idle(point) ? Series::Functions() : series_.new_branches_of(point);
    uint32_t sampled = series_.sampled_function(point);
    if (left.empty()) return visit(sampled, 1.0);
    // As divide() of ways.h in the ratio of the weights, with no part written down: most of the time of a
    // long recording goes here.
    if (way_ == Way::kRatio || way_ == Way::kDwell || way_ == Way::kMix) {
      double sum = weights_[sampled];
      for (uint32_t function : left) sum += weights_[function];
      if (sum > 0) {
        double scale = 1 / sum;
        for (uint32_t function : left) visit(function, weights_[function] * scale);
        return visit(sampled, weights_[sampled] * scale);
      }
    }
    find_parts(point, left, sampled);
    for (size_t i = 0; i < left.size(); ++i) visit(left[i], parts_[i]);
    visit(sampled, parts_.back());
  }
  void find_parts(const Point& point, Series::Functions left, uint32_t sampled);
  // How much of the point's time goes by what the one before tells.
  [[nodiscard]] double share_of_before(size_t number) const;

  const Series& series_;
  const std::vector<double>& weights_;  // by function
  Way way_;
  std::vector<uint16_t> cycles_;
  std::vector<double> parts_;
};

}  // namespace hm::timeline
