// SPDX-License-Identifier: MIT
// The time between a profile's samples, divided into stretches of one function each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/timeline/tracks.h"
#include "analysis/timeline/ways.h"

namespace hm::timeline {

// A sample and the time that it represents. The time ends when the sample was taken and begins at the
// thread's previous sample. After a gap of more than 4 usual intervals (for the clock, 1.5 periods), the time
// is one usual interval (for the clock, one period) long. The time is empty if the clock's samples show that
// the CPU was taken away. Times are relative to the series' first sample.
struct Point {
  int64_t begin_ns = 0, end_ns = 0;
  uint32_t sample = 0;
};

// The samples of one event. Points into the profile.
struct Series {
  const profile::Profile* profile = nullptr;
  std::vector<Track> tracks;
  std::vector<Point> points;  // concatenated by track
  // By function. The last entry is the idle task, regardless of the code that it runs.
  std::vector<double> share;  // the function's fraction of these samples
  std::vector<double> dwell;  // Weight::kDwell
  uint64_t start_ns = 0;      // axis position of the first sample
  int64_t end_ns = 0;         // time of the last sample
  int64_t interval_ns = 1;    // median distance between samples of a thread; for the clock, its median period
  // 99th percentile of the samples' intervals. Differs from interval_ns if periods differ, as those of the
  // software PMU, which grow with the run.
  int64_t long_interval_ns = 1;
  // True if most branches are new. The branch stacks are then shorter than the code path between samples, and
  // only the end of the path is known. Apparent repetitions of old branches are then mostly different
  // branches that look alike.
  bool knows_only_ends = false;

  [[nodiscard]] uint32_t idle_function() const { return static_cast<uint32_t>(share.size() - 1); }
  [[nodiscard]] std::span<const Point> points_of(const Track& track) const {
    return std::span(points).subspan(track.first, track.count);
  }
  using Functions = std::span<const uint32_t>;
  // Return the functions that the point's branches left, oldest first. New branches are at the end of all
  // branches.
  [[nodiscard]] Functions branches_of(const Point& point) const;
  [[nodiscard]] Functions new_branches_of(const Point& point) const;
  [[nodiscard]] bool is_ambiguous(const Point& point) const;
  // Returns true if the idle task ran.
  [[nodiscard]] bool is_idle(const Point& point) const;
  [[nodiscard]] uint32_t sampled_function(const Point& point) const;
  // Returns the cycles of the new branches, oldest first; 0 if not counted.
  [[nodiscard]] std::span<const uint16_t> new_cycles_of(const Point& point) const;
  // Prefetches the functions of a point that follows `points[number]`, because successive samples of a track
  // are far apart in the profile.
  static constexpr size_t kPrefetchDistance = 6;
  void prefetch_behind(size_t number) const {
    if (number + kPrefetchDistance >= points.size()) return;
    Functions next = branches_of(points[number + kPrefetchDistance]);
    constexpr size_t kPerCacheLine = 16;
    for (size_t i = 0; i < next.size(); i += kPerCacheLine) __builtin_prefetch(&next[i]);
  }
};

// Returns true if the event counts time: the clock, cycles, or the cost model's cycles.
[[nodiscard]] bool counts_time(const profile::Event& event);

// Selects samples as find_tracks() does. Has no points if no sample passes.
[[nodiscard]] Series find_series(const profile::Profile& profile, const profile::TimeAxis& axis,
                                 const profile::Filter& filter, uint32_t event);

// Divides the time of points over the functions that ran in it.
class Divider {
 public:
  Divider(const Series& series, Way way)
      : series_(series),
        weights_(weight_of(way) == Weight::kShare ? series.share : series.dwell),
        way_(way) {}

  // Calls visit(FUNCTION, BEGIN, END, PART) for the point of this index. The function had the fraction PART
  // of the time from BEGIN to END, which are relative as in Point, but double. PART is 1 if the functions ran
  // one after the other, oldest first.
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

  // Calls visit(FUNCTION, NS) any number of times per function for the successive points from `first` on.
  // Equivalent to divide(), but faster because it reads each point's branches only once.
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
  // Calls visit(FUNCTION, FRACTION of the time), oldest first.
  template <typename Visit>
  void for_each_part(const Point& point, Visit&& visit) {
    Series::Functions left = series_.is_idle(point) ? Series::Functions() : series_.new_branches_of(point);
    uint32_t sampled = series_.sampled_function(point);
    if (left.empty()) return visit(sampled, 1.0);
    // Same as divide() of ways.h with the ratio of the weights, but without storing the parts: this is the
    // hot path for long recordings.
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
  // Returns the fraction of this point's time that is attributed from the previous point's branches.
  [[nodiscard]] double share_of_before(size_t number) const;

  const Series& series_;
  const std::vector<double>& weights_;  // by function
  Way way_;
  std::vector<uint16_t> cycles_;
  std::vector<double> parts_;
};

}  // namespace hm::timeline
