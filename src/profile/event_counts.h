// SPDX-License-Identifier: MIT
// Samples added up, and what part of an event's whole they are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

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

  void add(std::optional<uint64_t> period);
  void add(const EventCount& other);
  // What shares are of: the estimate, else the number of samples.
  [[nodiscard]] uint64_t weight() const { return estimated.value_or(samples); }
};

// Wilson's score interval (E. B. Wilson, JASA 22 (1927), 209-212) of the share `p` that was found among
// `samples` > 0, which need not be whole.
[[nodiscard]] Share wilson_share(double p, double samples);

// By index of the event.
using EventCounts = std::vector<EventCount>;

// A whole that shares are of; it also knows how unequal the periods are.
class EventTotals {
 public:
  explicit EventTotals(size_t events) : counts_(events), squares_(events, 0.0) {}
  // Of every sample.
  explicit EventTotals(const Profile& profile);

  void add(uint32_t event, std::optional<uint64_t> period);

  [[nodiscard]] const EventCounts& counts() const { return counts_; }
  // Kish's effective number of samples, (sum w)^2 / sum w^2: with equal periods, the number of samples. Those
  // of one burst are alike: of a recording in bursts at most so many as would tell the total as well.
  [[nodiscard]] double effective_samples(uint32_t event) const;
  // wilson_share() over the effective number of samples. nullopt where the event has no samples.
  [[nodiscard]] std::optional<Share> share(uint32_t event, const EventCount& part) const;

 private:
  EventCounts counts_;
  std::vector<double> squares_;         // of the periods, summed
  std::vector<double> most_effective_;  // by event; empty: as many as there are
};

}  // namespace hm::profile
