// SPDX-License-Identifier: MIT
#include "profile/clusters.h"

#include <algorithm>

namespace hm::profile {
namespace {

// Where `parts` parts of equally many of the sorted times begin, without the first. Samples of one time stay
// together.
std::vector<uint64_t> begins_of_parts(std::vector<uint64_t> times, size_t parts) {
  std::vector<uint64_t> begins;
  for (size_t i = 1; i < parts; ++i) {
    uint64_t begin = times[times.size() * i / parts];
    if (begin > times.front() && (begins.empty() || begin > begins.back())) begins.push_back(begin);
  }
  return begins;
}

// Of the times, at most so many, without the first.
std::vector<uint64_t> some_of(const std::vector<uint64_t>& times, size_t most) {
  std::vector<uint64_t> some;
  size_t parts = std::min(times.size(), most);
  for (size_t i = 1; i < parts; ++i) some.push_back(times[times.size() * i / parts]);
  return some;
}

std::vector<uint64_t> sorted_times(const Samples& samples) {
  std::vector<uint64_t> times;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (std::optional<uint64_t> time = samples.time_ns.at(i)) times.push_back(*time);
  }
  std::ranges::sort(times);
  return times;
}

}  // namespace

Clusters::Clusters(const Profile& profile) : times_(&profile.samples.time_ns) {
  Origin origin = profile.origin();
  if (!origin.in_bursts || profile.samples.size() == 0) return;
  in_episodes_ = !origin.episode_begins_ns.empty();
  if (in_episodes_) {
    begins_ns_ = some_of(origin.episode_begins_ns, kMost);
  } else {
    // Two bursts in each, so that one which lies in two of them is not most of both.
    size_t parts = std::clamp<size_t>(origin.bursts / 2, 1, kMost);
    std::vector<uint64_t> times = sorted_times(profile.samples);
    if (!times.empty()) begins_ns_ = begins_of_parts(std::move(times), parts);
  }
  count_ = static_cast<uint32_t>(begins_ns_.size()) + 1;
}

uint32_t Clusters::of(size_t sample) const {
  uint64_t time = times_->at(sample).value_or(0);
  return static_cast<uint32_t>(std::ranges::upper_bound(begins_ns_, time) - begins_ns_.begin());
}

double ratio_variance(const ClusterSums& part, const ClusterSums& whole, const Clusters& clusters) {
  double all_of_part = 0, all = 0, squares = 0, last = 0, filled = 0;
  for (uint32_t i = 0; i < clusters.count(); ++i) {
    all_of_part += part.of(i);
    all += whole.of(i);
  }
  for (uint32_t i = 0; i < clusters.count(); ++i) {
    if (whole.of(i) == 0) continue;
    double off = part.of(i) - all_of_part / all * whole.of(i);
    if (!clusters.are_whole_run()) squares += off * off;
    if (clusters.are_whole_run() && filled > 0) squares += (off - last) * (off - last) / 2;
    last = off;
    ++filled;
  }
  if (filled < 2) return 0;
  return squares * filled / (filled - 1) / (all * all);
}

}  // namespace hm::profile
