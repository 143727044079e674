// SPDX-License-Identifier: MIT
#include "analysis/timeline/event_times.h"

#include <algorithm>

namespace hm::timeline {

EventTimes::EventTimes(const profile::Profile& profile, const profile::Filter& filter, uint32_t event,
                       uint64_t start_ns) {
  Tracks found = find_tracks(profile, filter, event);
  tracks_ = std::move(found.tracks);
  for (const Track& track : tracks_) {
    double sum = 0;
    for (size_t i = track.first; i < track.first + track.count; ++i) {
      uint32_t sample = found.samples[i];
      uint64_t time = *profile.samples.time_ns.at(sample);
      int64_t since = time >= start_ns
                          ? static_cast<int64_t>(std::min<uint64_t>(time - start_ns, INT64_MAX))
                          : -static_cast<int64_t>(std::min<uint64_t>(start_ns - time, INT64_MAX));
      times_.push_back(i == track.first ? since : std::max(since, times_.back()));
      sum += static_cast<double>(profile.samples.period.at(sample).value_or(1));
      sums_.push_back(sum);
    }
  }
}

double EventTimes::count_until(const Track& track, int64_t end_ns) const {
  auto begin = times_.begin() + static_cast<ptrdiff_t>(track.first);
  auto behind = std::upper_bound(begin, begin + static_cast<ptrdiff_t>(track.count), end_ns);
  return behind == begin ? 0 : sums_[static_cast<size_t>(behind - times_.begin()) - 1];
}

double EventTimes::all() const {
  double all = 0;
  for (const Track& track : tracks_) all += sums_[track.first + track.count - 1];
  return all;
}

double EventTimes::count(size_t track, int64_t begin_ns, int64_t end_ns) const {
  return count_until(tracks_[track], end_ns) - count_until(tracks_[track], begin_ns);
}

}  // namespace hm::timeline
