// SPDX-License-Identifier: MIT
#include "profile/event_counts.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/student_t.h"

namespace hm::profile {

Share wilson_share(double p, double samples, double quantile) {
  double z2 = quantile * quantile;
  double center = (p + z2 / (2 * samples)) / (1 + z2 / samples);
  double half =
      quantile / (1 + z2 / samples) * std::sqrt(p * (1 - p) / samples + z2 / (4 * samples * samples));
  return {p, std::max(0.0, center - half), std::min(1.0, center + half), samples < Share::kMinSamples};
}

void EventCount::add(std::optional<uint64_t> period) {
  auto weight = static_cast<double>(period.value_or(1));
  add(EventCount{1, period, weight * weight});
}

void EventCount::add(const EventCount& other) {
  samples += other.samples;
  squares += other.squares;
  if (!other.estimated)
    estimated.reset();
  else if (estimated)
    *estimated = *other.estimated > UINT64_MAX - *estimated ? UINT64_MAX : *estimated + *other.estimated;
}

EventTotals::EventTotals(const Profile& profile) : EventTotals(profile.events.size()) {
  const Samples& samples = profile.samples;
  for (size_t i = 0; i < samples.size(); ++i) add(samples.event[i], samples.period.at(i));
  Origin origin = profile.origin();
  if (!origin.in_bursts) return;
  has_few_bursts_ = origin.has_few_bursts();
  clusters_.emplace(profile);
  uint64_t most = clusters_->are_whole_run() ? samples.size() : origin.bursts;
  max_independent_ = static_cast<double>(std::max<uint64_t>(most, 1));
  in_clusters_.resize(profile.events.size());
  look_at_functions(profile);
}

// Computes the number of independent samples that would give the shares of functions the same precision as
// the clusters.
void EventTotals::look_at_functions(const Profile& profile) {
  const Samples& samples = profile.samples;
  std::vector<std::unordered_map<uint32_t, ClusterSums>> functions(profile.events.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    uint32_t event = samples.event[i], cluster = clusters_->of(i);
    auto weight = static_cast<double>(samples.events_of(i));
    in_clusters_[event].sums.add(cluster, weight);
    functions[event][profile.locations[samples.location[i]].function].add(cluster, weight);
  }
  for (uint32_t event = 0; event < functions.size(); ++event) {
    InClusters& each = in_clusters_[event];
    double variances = 0, weighted_degrees = 0, of_one_sample = 0, all = 0;
    for (uint32_t i = 0; i < clusters_->count(); ++i) {
      all += each.sums.of(i);
      each.clusters += each.sums.of(i) != 0 && !clusters_->is_exact(i) ? 1 : 0;
    }
    for (const auto& [function, sums] : functions[event]) {
      double found = 0;
      for (uint32_t i = 0; i < clusters_->count(); ++i) found += sums.of(i);
      SumError error = ratio_error(sums, each.sums, *clusters_);
      variances += error.variance;
      weighted_degrees += error.variance * error.degrees;
      of_one_sample += found / all * (1 - found / all);
    }
    each.max_effective = variances > 0 ? of_one_sample / variances : each.clusters;
    each.max_effective = std::clamp(each.max_effective, 1.0, max_independent_);
    each.degrees =
        variances > 0 ? weighted_degrees / variances : std::max(1.0, static_cast<double>(each.clusters) - 1);
  }
}

void EventTotals::add_to(ClusteredCounts& part, const Profile& profile, size_t sample) const {
  uint32_t event = profile.samples.event[sample];
  part.counts.resize(counts_.size());
  part.counts[event].add(profile.samples.period.at(sample));
  if (!clusters_) return;
  part.clusters.resize(counts_.size());
  part.clusters[event].add(clusters_->of(sample), static_cast<double>(profile.samples.events_of(sample)));
}

void EventTotals::add(uint32_t event, std::optional<uint64_t> period) { counts_[event].add(period); }

double EventTotals::effective_samples(uint32_t event) const {
  const EventCount& whole = counts_[event];
  auto samples = static_cast<double>(whole.samples);
  if (whole.estimated && *whole.estimated != 0) {
    auto sum = static_cast<double>(*whole.estimated);
    samples = sum * sum / whole.squares;
  }
  samples = std::max(samples / design_effect_, std::min(samples, 1.0));
  return in_clusters_.empty() ? samples : std::min(samples, in_clusters_[event].max_effective);
}

double EventTotals::design_effect(uint32_t event) const {
  if (in_clusters_.empty() || counts_[event].samples == 0) return 1;
  return std::max(1.0, static_cast<double>(counts_[event].samples) / effective_samples(event));
}

double EventTotals::part_of_all(uint32_t event, const EventCount& part) const {
  const EventCount& whole = counts_[event];
  if (!whole.estimated || *whole.estimated == 0)
    return static_cast<double>(part.samples) / static_cast<double>(whole.samples);
  return static_cast<double>(part.estimated.value_or(0)) / static_cast<double>(*whole.estimated);
}

// Scales Kish's effective number of samples if the periods of the part and of the rest differ. The variance
// cannot be estimated for a part that is nothing or everything.
double EventTotals::effective_samples(uint32_t event, const EventCount& part) const {
  const EventCount& whole = counts_[event];
  double alike = effective_samples(event), p = part_of_all(event, part);
  if (!whole.estimated || *whole.estimated == 0 || p <= 0 || p >= 1) return alike;
  auto sum = static_cast<double>(*whole.estimated);
  double rest = std::max(whole.squares - part.squares, 0.0);
  double variance = ((1 - p) * (1 - p) * part.squares + p * p * rest) / (sum * sum);
  double of_equal_periods = p * (1 - p) * whole.squares / (sum * sum);
  return variance > 0 ? std::max(alike * of_equal_periods / variance, std::min(alike, 1.0)) : alike;
}

// Uses Student's t, because a few clusters give only a rough estimate of their variance.
double EventTotals::quantile(uint32_t event) const {
  return in_clusters_.empty() ? kNormalQuantile : student_t(in_clusters_[event].degrees);
}

Share EventTotals::counted(uint32_t event, Share share) const {
  share.few_samples = static_cast<double>(counts_[event].samples) < Share::kMinSamples;
  return share;
}

std::optional<Share> EventTotals::share(uint32_t event, const EventCount& part) const {
  if (counts_[event].samples == 0 || has_few_bursts_) return std::nullopt;
  return counted(event,
                 wilson_share(part_of_all(event, part), effective_samples(event, part), quantile(event)));
}

// If the part's share is equal in all clusters, its variance is 0; the number of clusters then replaces the
// effective number of samples. A few episodes may be alike by chance. Therefore the number of their bursts, a
// few thousand instructions each, limits the number of samples.
std::optional<Share> EventTotals::share(uint32_t event, const ClusteredCounts& part) const {
  if (in_clusters_.empty() || counts_[event].samples == 0 || has_few_bursts_)
    return share(event, part.counts[event]);
  const InClusters& whole = in_clusters_[event];
  double p = part_of_all(event, part.counts[event]);
  static const ClusterSums kNoSamples;  // a function that only calls others has none of its own
  const ClusterSums& sums = part.clusters.empty() ? kNoSamples : part.clusters[event];
  SumError error = ratio_error(sums, whole.sums, *clusters_);
  double most = std::min(static_cast<double>(counts_[event].samples), max_independent_);
  bool is_known = error.variance > 0;
  double effective = is_known ? p * (1 - p) / error.variance : whole.clusters;
  double t = is_known ? student_t(error.degrees) : quantile(event);
  return counted(event, wilson_share(p, std::clamp(effective, 1.0, std::max(most, 1.0)), t));
}

}  // namespace hm::profile
