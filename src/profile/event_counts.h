// SPDX-License-Identifier: MIT
// Samples added up, and what part of an event's whole they are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profile/clusters.h"
#include "profile/profile.h"

namespace hm::profile {

// A part of a whole, with the 95 % confidence interval that the number of samples allows; all between 0
// and 1.
struct Share {
  double value = 0;
  double low = 0;
  double high = 0;

  bool operator==(const Share&) const = default;
};

// Samples of one event.
struct EventCount {
  uint64_t samples = 0;
  // The sum of the samples' periods: an estimate of how many events there were. nullopt where a sample has no
  // period.
  std::optional<uint64_t> estimated = 0;
  double squares = 0;  // of the periods, summed; 1 for a sample without

  void add(std::optional<uint64_t> period);
  void add(const EventCount& other);
  // What shares are of: the estimate, else the number of samples.
  [[nodiscard]] uint64_t weight() const { return estimated.value_or(samples); }
};

// Wilson's score interval (E. B. Wilson, JASA 22 (1927), 209-212) of the share `p` that was found among
// `samples` > 0, which need not be whole. `quantile`: of the distribution of the error, 97.5 %.
inline constexpr double kNormalQuantile = 1.959963984540054;
[[nodiscard]] Share wilson_share(double p, double samples, double quantile = kNormalQuantile);

// By index of the event.
using EventCounts = std::vector<EventCount>;

// A part, by event, and how much of it is in each cluster of samples; the latter only of a recording in
// bursts.
struct ClusteredCounts {
  EventCounts counts;
  std::vector<ClusterSums> clusters{};
};

// A whole that shares are of; it also knows how unequal the periods are and, of a recording in bursts, how
// much clusters of samples differ.
class EventTotals {
 public:
  explicit EventTotals(size_t events) : counts_(events) {}
  // Of every sample.
  explicit EventTotals(const Profile& profile);

  void add(uint32_t event, std::optional<uint64_t> period);

  [[nodiscard]] const EventCounts& counts() const { return counts_; }
  // Kish's effective number of samples, (sum w)^2 / sum w^2: with equal periods, the number of samples. Those
  // of one burst are alike: of a recording in bursts at most so many as would tell the shares of functions as
  // well, on the average (the generalized design effect: J. N. K. Rao and A. J. Scott, JASA 76 (1981),
  // 221-230).
  [[nodiscard]] double effective_samples(uint32_t event) const;
  // How many times as many samples there are as would tell as much if each had been chosen for itself; 1
  // where not in bursts.
  [[nodiscard]] double design_effect(uint32_t event) const;
  // From now on its samples count as so many times fewer: they are some of a recording with that design
  // effect.
  void take_for_alike(double design_effect) { design_effect_ = design_effect; }
  // wilson_share() over as many samples of equal periods as would tell this part's share as well, by the
  // variance of a ratio of sums of periods (W. G. Cochran, Sampling Techniques, 3rd ed., section 6.3): a part
  // whose samples have the longest periods is the least sure. nullopt where the event has no samples, or
  // there are too few bursts (Origin::has_few_bursts()).
  [[nodiscard]] std::optional<Share> share(uint32_t event, const EventCount& part) const;
  // Likewise; of a recording in bursts by how much the part's share differs between clusters.
  [[nodiscard]] std::optional<Share> share(uint32_t event, const ClusteredCounts& part) const;

  // Adds a sample to a part.
  void add_to(ClusteredCounts& part, const Profile& profile, size_t sample) const;

 private:
  // Of a recording in bursts, by event.
  struct InClusters {
    ClusterSums sums;
    uint32_t clusters = 0;      // that have samples
    double most_effective = 1;  // samples
  };

  [[nodiscard]] double part_of_all(uint32_t event, const EventCount& part) const;
  [[nodiscard]] double quantile(uint32_t event) const;
  [[nodiscard]] double effective_samples(uint32_t event, const EventCount& part) const;
  void look_at_functions(const Profile& profile);

  EventCounts counts_;
  std::optional<Clusters> clusters_;
  std::vector<InClusters> in_clusters_;
  bool has_few_bursts_ = false;
  double design_effect_ = 1;
  double most_independent_ = 0;  // samples; as many as there were bursts, where these were short
};

}  // namespace hm::profile
