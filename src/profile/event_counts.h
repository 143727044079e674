// SPDX-License-Identifier: MIT
// Sums of samples, and shares of an event's total with confidence intervals.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profile/clusters.h"
#include "profile/profile.h"

namespace hm::profile {

// A fraction of a whole, with the 95 % confidence interval that the number of samples allows; all between 0
// and 1.
struct Share {
  // With fewer samples, an interval would be nearly as wide as all possible values: it is not shown.
  static constexpr double kMinSamples = 10;

  double value = 0;
  double low = 0;
  double high = 0;
  bool few_samples = false;  // fewer than kMinSamples samples: views report this instead of the interval

  bool operator==(const Share&) const = default;
};

// Sum over samples of one event.
struct EventCount {
  uint64_t samples = 0;
  // Sum of the sampling periods: an estimate of the number of events. nullopt if a sample has no period.
  std::optional<uint64_t> estimated = 0;
  double squares = 0;  // sum of the squared periods; 1 for a sample without a period

  void add(std::optional<uint64_t> period);
  void add(const EventCount& other);
  // Returns the weight for computing shares: the estimate, else the number of samples.
  [[nodiscard]] uint64_t weight() const { return estimated.value_or(samples); }
};

// Returns Wilson's score interval (E. B. Wilson, JASA 22 (1927), 209-212) of a share `p` found among
// `samples` > 0, which need not be an integer. `quantile` is the 97.5 % quantile of the error's distribution.
inline constexpr double kNormalQuantile = 1.959963984540054;
[[nodiscard]] Share wilson_share(double p, double samples, double quantile = kNormalQuantile);

// Indexed by event.
using EventCounts = std::vector<EventCount>;

// Counts of a part by event, and their distribution over the clusters of samples; `clusters` is empty unless
// the recording was made in bursts.
struct ClusteredCounts {
  EventCounts counts;
  std::vector<ClusterSums> clusters{};
};

// Totals from which shares are computed, with the variation of the periods. For a recording in bursts, also
// the variation between clusters of samples.
class EventTotals {
 public:
  explicit EventTotals(size_t events) : counts_(events) {}
  // Sums up every sample of the profile.
  explicit EventTotals(const Profile& profile);

  void add(uint32_t event, std::optional<uint64_t> period);

  [[nodiscard]] const EventCounts& counts() const { return counts_; }
  // Returns Kish's effective number of samples, (sum w)^2 / sum w^2; with equal periods, the number of
  // samples. Samples of one burst are correlated. For a recording in bursts, the result is therefore limited
  // to the number of independent samples with the same precision for the shares of functions, on average.
  // That number follows from the generalized design effect (J. N. K. Rao and A. J. Scott, JASA 76 (1981),
  // 221-230).
  [[nodiscard]] double effective_samples(uint32_t event) const;
  // Returns the design effect: the number of samples divided by the number of independent samples with the
  // same precision; 1 unless in bursts.
  [[nodiscard]] double design_effect(uint32_t event) const;
  // Divides the effective number of samples by `design_effect` from now on; for a selection of samples from a
  // recording with that design effect.
  void take_for_alike(double design_effect) { design_effect_ = design_effect; }
  // Returns wilson_share() for the number of samples of equal periods that would give this share the same
  // variance, by the variance of a ratio of sums (W. G. Cochran, Sampling Techniques, 3rd ed., section 6.3).
  // A part with the longest periods is the least certain. Returns nullopt if the event has no samples or
  // there are too few bursts (Origin::has_few_bursts()).
  [[nodiscard]] std::optional<Share> share(uint32_t event, const EventCount& part) const;
  // Returns the share of a clustered part; for a recording in bursts, its variance comes from the differences
  // between clusters.
  [[nodiscard]] std::optional<Share> share(uint32_t event, const ClusteredCounts& part) const;

  // Adds a sample of the profile to a part.
  void add_to(ClusteredCounts& part, const Profile& profile, size_t sample) const;

 private:
  // Only for a recording in bursts, one for each event.
  struct InClusters {
    ClusterSums sums;
    uint32_t clusters = 0;     // number of clusters that have samples
    double max_effective = 1;  // limit on the effective number of samples
    double degrees = 1;        // of freedom of the variances of functions, in the mean
  };

  // Decides by the number of samples, not by the effective number, whether they are few.
  [[nodiscard]] Share counted(uint32_t event, Share share) const;
  [[nodiscard]] double part_of_all(uint32_t event, const EventCount& part) const;
  [[nodiscard]] double quantile(uint32_t event) const;
  [[nodiscard]] double effective_samples(uint32_t event, const EventCount& part) const;
  void look_at_functions(const Profile& profile);

  EventCounts counts_;
  std::optional<Clusters> clusters_;
  std::vector<InClusters> in_clusters_;
  bool has_few_bursts_ = false;
  double design_effect_ = 1;
  double max_independent_ = 0;  // limit on independent samples; the number of bursts if these were short
};

}  // namespace hm::profile
