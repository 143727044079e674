// SPDX-License-Identifier: MIT
// Which samples of a recording in bursts are alike, as they were taken close to each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "profile/profile.h"

namespace hm::profile {

// The samples in groups of neighbours in time: by the episode that they are of; else in equally many, as large a part
// of the bursts each (batch means: A. M. Law, Simulation Modeling and Analysis, 5th ed., section 9.5.3). What
// differs between groups tells how sure an estimate is; what differs between samples does not.
class Clusters {
 public:
  // None where the recording was not in bursts.
  explicit Clusters(const Profile& profile);

  [[nodiscard]] uint32_t count() const { return count_; }
  [[nodiscard]] uint32_t of(size_t sample) const;

 private:
  static constexpr uint32_t kMost = 64;

  const Column* times_ = nullptr;
  uint32_t count_ = 0;
  std::vector<uint64_t> begins_ns_;  // of all but the first
};

// An amount in each cluster, by its number; empty where nothing was added.
class ClusterSums {
 public:
  void add(uint32_t cluster, double amount) {
    if (cluster >= sums_.size()) sums_.resize(cluster + 1, 0.0);
    sums_[cluster] += amount;
  }
  [[nodiscard]] double of(uint32_t cluster) const { return cluster < sums_.size() ? sums_[cluster] : 0; }

 private:
  std::vector<double> sums_;
};

// The variance of the ratio sum(part) / sum(whole), where clusters are what was chosen at random (W. G. Cochran,
// Sampling Techniques, 3rd ed., equation 6.13), and how many clusters have anything of the whole.
struct RatioVariance {
  double variance = 0;
  uint32_t clusters = 0;
};
[[nodiscard]] RatioVariance ratio_variance(const ClusterSums& part, const ClusterSums& whole, uint32_t count);

}  // namespace hm::profile
