// SPDX-License-Identifier: MIT
#include "analysis/timeline/event_times.h"

#include <algorithm>

#include "analysis/timeline/quantile.h"

namespace hm::timeline {

EventTimes::EventTimes(const profile::Profile& profile, const profile::TimeAxis& axis,
                       const profile::Filter& filter, uint32_t event, uint64_t start_ns) {
  Tracks found = find_tracks(profile, axis, filter, event);
  tracks_ = std::move(found.tracks);
  for (const Track& track : tracks_) {
    double sum = 0;
    for (size_t i = track.first; i < track.first + track.count; ++i) {
      uint32_t sample = found.samples[i];
      uint64_t time = *axis.at(sample);
      int64_t since = time >= start_ns
                          ? static_cast<int64_t>(std::min<uint64_t>(time - start_ns, INT64_MAX))
                          : -static_cast<int64_t>(std::min<uint64_t>(start_ns - time, INT64_MAX));
      times_.push_back(i == track.first ? since : std::max(since, times_.back()));
      sum += static_cast<double>(profile.samples.events_of(sample));
      sums_.push_back(sum);
    }
  }
}

size_t EventTimes::samples_until(const Track& track, int64_t end_ns) const {
  auto begin = times_.begin() + static_cast<ptrdiff_t>(track.first);
  return static_cast<size_t>(std::upper_bound(begin, begin + static_cast<ptrdiff_t>(track.count), end_ns) -
                             begin);
}

size_t EventTimes::samples_before_window(const Track& track, int64_t begin_ns) const {
  return samples_until(track, begin_ns == 0 ? -1 : begin_ns);
}

double EventTimes::count_of(const Track& track, size_t samples) const {
  return samples == 0 ? 0 : sums_[track.first + samples - 1];
}

size_t EventTimes::count_samples(size_t track, int64_t begin_ns, int64_t end_ns) const {
  return samples_until(tracks_[track], end_ns) - samples_before_window(tracks_[track], begin_ns);
}

double EventTimes::all() const {
  double all = 0;
  for (const Track& track : tracks_) all += sums_[track.first + track.count - 1];
  return all;
}

double EventTimes::long_period() const {
  std::vector<double> periods;
  periods.reserve(samples());
  for (size_t track = 0; track < tracks_.size(); ++track)
    for_each_sample(track, [&](int64_t, double period) { periods.push_back(period); });
  return quantile(periods, kAlmostAll);
}

double EventTimes::count(size_t track, int64_t begin_ns, int64_t end_ns) const {
  const Track& of = tracks_[track];
  return count_of(of, samples_until(of, end_ns)) - count_of(of, samples_before_window(of, begin_ns));
}

void EventTimes::add_counts(size_t track, const Grid& grid, std::vector<double>& cells) const {
  const Track& of = tracks_[track];
  size_t next = of.first + samples_before_window(of, grid.begin_ns);
  size_t last = of.first + samples_until(of, grid.end_ns);
  double before = next == of.first ? 0 : sums_[next - 1];
  while (next < last) {
    // A cell includes its end but not its begin.
    size_t cell = grid.bin_of(std::max(times_[next] - 1, grid.begin_ns));
    auto from = times_.begin() + static_cast<ptrdiff_t>(next);
    auto behind = std::upper_bound(from, times_.begin() + static_cast<ptrdiff_t>(last), grid.end_of(cell));
    next = static_cast<size_t>(behind - times_.begin());
    cells[cell] += sums_[next - 1] - before;
    before = sums_[next - 1];
  }
}

}  // namespace hm::timeline
