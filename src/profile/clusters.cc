// SPDX-License-Identifier: MIT
#include "profile/clusters.h"

#include <algorithm>

#include "profile/relative_periods.h"

namespace hm::profile {
namespace {

struct Weighed {
  uint64_t time_ns;
  double weight;
};

// Returns the start times of `parts` parts of equal weight of the sorted samples, without the first. Samples
// of equal time stay together.
std::vector<uint64_t> begins_of_parts(const std::vector<Weighed>& samples, size_t parts) {
  std::vector<uint64_t> begins;
  double all = 0, before = 0;
  for (const Weighed& each : samples) all += each.weight;
  size_t next = 1;
  for (const Weighed& each : samples) {
    bool begins_part = false;
    for (;
         next < parts && before + each.weight > all * static_cast<double>(next) / static_cast<double>(parts);
         ++next)
      begins_part = true;
    bool is_later =
        each.time_ns > samples.front().time_ns && (begins.empty() || each.time_ns > begins.back());
    if (begins_part && is_later) begins.push_back(each.time_ns);
    before += each.weight;
  }
  return begins;
}

// Returns at most `most` of the times, evenly selected, without the first.
std::vector<uint64_t> some_of(const std::vector<uint64_t>& times, size_t most) {
  std::vector<uint64_t> some;
  size_t parts = std::min(times.size(), most);
  for (size_t i = 1; i < parts; ++i) some.push_back(times[times.size() * i / parts]);
  return some;
}

// Returns the samples in order of time, weighted by their relative periods: if periods grow, late samples
// represent more of the run.
std::vector<Weighed> sorted_samples(const Profile& profile) {
  const Samples& samples = profile.samples;
  RelativePeriods periods(profile);
  std::vector<Weighed> sorted;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (std::optional<uint64_t> time = samples.time_ns.at(i)) sorted.push_back({*time, periods.of(i)});
  }
  std::ranges::sort(sorted, {}, &Weighed::time_ns);
  return sorted;
}

}  // namespace

Clusters::Clusters(const Profile& profile) : times_(&profile.samples.time_ns) {
  Origin origin = profile.origin();
  if (!origin.in_bursts || profile.samples.size() == 0) return;
  in_episodes_ = !origin.episode_begins_ns.empty();
  if (in_episodes_) {
    begins_ns_ = some_of(origin.episode_begins_ns, kMost);
  } else if (!origin.part_begins_ns.empty()) {
    begins_ns_ = some_of(origin.part_begins_ns, kMost);
    first_is_exact_ = origin.begins_exactly;
    if (first_is_exact_) begins_ns_.insert(begins_ns_.begin(), origin.part_begins_ns.front());
  } else {
    // An older recording. Each cluster has two bursts, so a burst that is divided does not dominate both.
    size_t parts = std::clamp<size_t>(origin.bursts / 2, 1, kMost);
    begins_ns_ = begins_of_parts(sorted_samples(profile), parts);
  }
  count_ = static_cast<uint32_t>(begins_ns_.size()) + 1;
}

uint32_t Clusters::of(size_t sample) const {
  uint64_t time = times_->at(sample).value_or(0);
  return static_cast<uint32_t>(std::ranges::upper_bound(begins_ns_, time) - begins_ns_.begin());
}

SumError ratio_error(const ClusterSums& part, const ClusterSums& whole, const Clusters& clusters) {
  double all_of_part = 0, all = 0;
  for (uint32_t i = 0; i < clusters.count(); ++i) {
    all_of_part += part.of(i);
    all += whole.of(i);
  }
  std::vector<double> deviations;
  for (uint32_t i = 0; i < clusters.count(); ++i) {
    if (whole.of(i) == 0 || clusters.is_exact(i)) continue;
    deviations.push_back(part.of(i) / all - all_of_part / all * whole.of(i) / all);
  }
  return sum_error(deviations, clusters.selection());
}

}  // namespace hm::profile
