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
// longer than usual, as long as usual. It was taken at the end. Times are since the series' first sample.
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
  uint64_t start_ns = 0;      // the first sample's time, by the profile's clock
  int64_t end_ns = 0;         // the last sample's time
  int64_t interval_ns = 1;    // from one sample of a thread to its next: the median

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

// As find_tracks(); without points where no sample passes.
[[nodiscard]] Series find_series(const profile::Profile& profile, const profile::Filter& filter,
                                 uint32_t event);

// Divides points' time over the functions that ran in it.
class Divider {
 public:
  Divider(const Series& series, Way way)
      : series_(series),
        weights_(weight_of(way) == Weight::kShare ? series.share : series.dwell),
        way_(way) {}

  // visit(FUNCTION, BEGIN, END), oldest first; times as Point's, as double.
  template <typename Visit>
  void divide(const Point& point, Visit&& visit) {
    auto begin = static_cast<double>(point.begin_ns), last = static_cast<double>(point.end_ns);
    double lasted = last - begin;
    Series::Functions left = series_.is_idle(point) ? Series::Functions() : series_.new_branches_of(point);
    uint32_t sampled = series_.sampled_function(point);
    if (!left.empty()) find_parts(point, left, sampled);
    for (size_t i = 0; i < left.size(); ++i) {
      double end = begin + parts_[i] * lasted;
      visit(left[i], begin, end);
      begin = end;
    }
    if (begin < last) visit(sampled, begin, last);
  }

 private:
  void find_parts(const Point& point, Series::Functions left, uint32_t sampled);

  const Series& series_;
  const std::vector<double>& weights_;  // by function
  Way way_;
  std::vector<uint16_t> cycles_;
  std::vector<double> parts_;
};

}  // namespace hm::timeline
