// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "profile/profile.h"

namespace hm::profile {

// Sampling period of a sample relative to the mean period of its event: 1 if all periods are equal. Sums of
// relative periods are comparable between events.
class RelativePeriods {
 public:
  explicit RelativePeriods(const Profile& profile) : samples_(&profile.samples) {
    std::vector<double> counts(profile.events.size(), 0.0);
    means_.resize(profile.events.size(), 0.0);
    for (size_t i = 0; i < samples_->size(); ++i) {
      means_[samples_->event[i]] += period(i);
      ++counts[samples_->event[i]];
    }
    for (size_t event = 0; event < means_.size(); ++event)
      means_[event] /= counts[event] > 0 ? counts[event] : 1;
  }

  [[nodiscard]] double of(size_t sample) const {
    double mean = means_[samples_->event[sample]];
    return mean > 0 ? period(sample) / mean : 1;
  }

 private:
  [[nodiscard]] double period(size_t sample) const {
    return static_cast<double>(samples_->events_of(sample));
  }

  const Samples* samples_;
  std::vector<double> means_;  // by event
};

}  // namespace hm::profile
