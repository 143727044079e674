// SPDX-License-Identifier: MIT
// Event counts over time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/timeline/index.h"
#include "analysis/timeline/tracks.h"

namespace hm::timeline {

// Occurrences of one event from its samples: each sample represents as many events as its period, at its
// time. A sample without a period, as of a clock, represents one event.
class EventTimes {
 public:
  // `start_ns`: the axis position of time 0.
  EventTimes(const profile::Profile& profile, const profile::TimeAxis& axis, const profile::Filter& filter,
             uint32_t event, uint64_t start_ns);

  [[nodiscard]] const std::vector<Track>& tracks() const { return tracks_; }
  // Returns the events after `begin_ns` and up to `end_ns`. A window that begins at 0 includes samples at 0,
  // which no earlier window can include. `track` is an index.
  [[nodiscard]] double count(size_t track, int64_t begin_ns, int64_t end_ns) const;
  [[nodiscard]] size_t count_samples(size_t track, int64_t begin_ns, int64_t end_ns) const;
  // Adds count() of each cell of the grid to `cells`.
  void add_counts(size_t track, const Grid& grid, std::vector<double>& cells) const;
  // Calls visit(TIME, COUNT) for each sample of the track, in order.
  template <typename Visit>
  void for_each_sample(size_t track, Visit&& visit) const {
    const Track& of = tracks_[track];
    double before = 0;
    for (size_t i = of.first; i < of.first + of.count; ++i) {
      visit(times_[i], sums_[i] - before);
      before = sums_[i];
    }
  }
  [[nodiscard]] size_t samples() const { return times_.size(); }
  [[nodiscard]] double all() const;  // total count
  // Returns the 99th percentile of the samples' periods. There is at least one sample.
  [[nodiscard]] double long_period() const;

 private:
  [[nodiscard]] size_t samples_until(const Track& track, int64_t end_ns) const;
  [[nodiscard]] size_t samples_before_window(const Track& track, int64_t begin_ns) const;
  // Returns the events of the track's first `samples` samples.
  [[nodiscard]] double count_of(const Track& track, size_t samples) const;

  std::vector<Track> tracks_;
  std::vector<int64_t> times_;  // concatenated by track
  std::vector<double> sums_;    // of the periods, from the track's first sample to this one
};

struct CountedEvent {
  uint32_t number = 0;  // index in the profile
  std::string event;
  bool has_times = true;  // false if the event's samples have no times
  EventTimes times;
};

}  // namespace hm::timeline
