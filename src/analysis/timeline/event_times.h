// SPDX-License-Identifier: MIT
// How many events were counted when.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/timeline/index.h"
#include "analysis/timeline/tracks.h"

namespace hm::timeline {

// Of the samples of one event: each stands for its period, at its time. A sample without a period, of a
// clock, is one event.
class EventTimes {
 public:
  // `start_ns`: the axis position from which times are counted.
  EventTimes(const profile::Profile& profile, const Axis& axis, const profile::Filter& filter, uint32_t event,
             uint64_t start_ns);

  [[nodiscard]] const std::vector<Track>& tracks() const { return tracks_; }
  // After `begin_ns`, up to `end_ns`; a window that begins at 0 has the samples at 0, too, which no window
  // before it could have. `track`: its number.
  [[nodiscard]] double count(size_t track, int64_t begin_ns, int64_t end_ns) const;
  [[nodiscard]] size_t count_samples(size_t track, int64_t begin_ns, int64_t end_ns) const;
  // Adds what count() says of each cell of the grid.
  void add_counts(size_t track, const Grid& grid, std::vector<double>& cells) const;
  // visit(TIME, COUNT) for each sample of the track, in order.
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
  [[nodiscard]] double all() const;  // counted
  // Returns the 99th percentile of the samples' periods. There is at least one sample.
  [[nodiscard]] double long_period() const;

 private:
  [[nodiscard]] size_t samples_until(const Track& track, int64_t end_ns) const;
  [[nodiscard]] size_t samples_before_window(const Track& track, int64_t begin_ns) const;
  // Events of the track's first `samples` samples.
  [[nodiscard]] double count_of(const Track& track, size_t samples) const;

  std::vector<Track> tracks_;
  std::vector<int64_t> times_;  // of the tracks, one behind the other
  std::vector<double> sums_;    // of the periods, from the track's first sample to this one
};

struct CountedEvent {
  uint32_t number = 0;  // in the profile
  std::string event;
  bool has_times = true;  // of its samples
  EventTimes times;
};

}  // namespace hm::timeline
