// SPDX-License-Identifier: MIT
#include "analysis/occupancy/intervals.h"

#include <algorithm>
#include <unordered_map>

namespace hm::occupancy {
namespace {

using profile::OccupancySeries;
using profile::Profile;

std::vector<uint64_t> times_of(const Profile& profile) {
  std::vector<uint64_t> times;
  for (const OccupancySeries& series : profile.occupancy) {
    for (const profile::OccupancyPoint& point : series.points) times.push_back(point.time_ns);
  }
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

// Maps a process to the measured series it belongs to: its own, or that of its nearest measured ancestor.
class Owners {
 public:
  explicit Owners(const Profile& profile) : profile_(profile) {
    for (size_t i = 0; i < profile.occupancy.size(); ++i) {
      if (profile.occupancy[i].pid != 0) series_.try_emplace(profile.occupancy[i].pid, i);
    }
  }

  std::optional<size_t> of(uint32_t pid) {
    auto [known, is_new] = known_.try_emplace(pid);
    if (!is_new) return known->second;
    constexpr int kMaxGenerations = 100;
    uint32_t each = pid;
    for (int i = 0; i < kMaxGenerations; ++i) {
      if (auto found = series_.find(each); found != series_.end()) return known_[pid] = found->second;
      auto parent = profile_.parents.find(each);
      if (parent == profile_.parents.end()) break;
      each = parent->second;
    }
    return std::nullopt;
  }

 private:
  const Profile& profile_;
  std::unordered_map<uint32_t, size_t> series_;
  std::unordered_map<uint32_t, std::optional<size_t>> known_;
};

void add_shares(const Profile& profile, uint64_t cache_bytes, Intervals& intervals) {
  for (size_t i = 0; i < profile.occupancy.size(); ++i) {
    for (const profile::OccupancyPoint& point : profile.occupancy[i].points) {
      auto at = std::ranges::lower_bound(intervals.times, point.time_ns) - intervals.times.begin();
      if (at == 0 || !point.occupancy_bytes) continue;
      intervals.of[i][static_cast<size_t>(at) - 1].share =
          static_cast<double>(*point.occupancy_bytes) / static_cast<double>(cache_bytes);
    }
  }
}

void add_events(const Profile& profile, uint32_t event, Intervals& intervals) {
  Owners owners(profile);
  const profile::Samples& samples = profile.samples;
  for (size_t row = 0; row < samples.size(); ++row) {
    std::optional<uint64_t> time = samples.time_ns.at(row);
    if (samples.event[row] != event || !time) continue;
    std::optional<size_t> owner = owners.of(profile.threads[samples.thread[row]].pid);
    auto at = std::ranges::lower_bound(intervals.times, *time) - intervals.times.begin();
    if (!owner || at == 0 || static_cast<size_t>(at) >= intervals.times.size()) continue;
    Interval& interval = intervals.of[*owner][static_cast<size_t>(at) - 1];
    auto events = static_cast<double>(samples.events_of(row));
    interval.events += events;
    interval.by_function[profile.locations[samples.location[row]].function] += events;
  }
}

}  // namespace

Intervals intervals_of(const Profile& profile, uint32_t event, uint64_t cache_bytes) {
  Intervals intervals;
  intervals.times = times_of(profile);
  size_t count = intervals.times.empty() ? 0 : intervals.times.size() - 1;
  intervals.of.assign(profile.occupancy.size(), std::vector<Interval>(count));
  add_shares(profile, cache_bytes, intervals);
  add_events(profile, event, intervals);
  return intervals;
}

}  // namespace hm::occupancy
