// SPDX-License-Identifier: MIT
// Which samples of a recording in bursts are alike, as they were taken close to each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "profile/profile.h"

namespace hm::profile {

// The samples in groups of neighbours in time: by the episode that they are of; else in parts of
// equal sums of periods, as large a part of the bursts each (batch means: A. M. Law, Simulation Modeling and
// Analysis, 5th ed., section 9.5.3). What differs between groups tells how sure an estimate is; what differs
// between samples does not.
class Clusters {
 public:
  // None where the recording was not in bursts.
  explicit Clusters(const Profile& profile);

  [[nodiscard]] uint32_t count() const { return count_; }
  [[nodiscard]] uint32_t of(size_t sample) const;
  // They follow each other without a gap.
  [[nodiscard]] bool are_whole_run() const { return !in_episodes_; }

 private:
  static constexpr uint32_t kMost = 64;

  const Column* times_ = nullptr;
  uint32_t count_ = 0;
  bool in_episodes_ = false;
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

// The variance of the ratio sum(part) / sum(whole). Episodes are taken for chosen at random (W. G. Cochran,
// Sampling Techniques, 3rd ed., equation 6.13). Bursts of a whole run are evenly spread over it, so what
// changes slowly is no error: differences of neighbours tell it (K. M. Wolter, Introduction to Variance
// Estimation, 2nd ed., section 8.2).
[[nodiscard]] double ratio_variance(const ClusterSums& part, const ClusterSums& whole,
                                    const Clusters& clusters);

}  // namespace hm::profile
