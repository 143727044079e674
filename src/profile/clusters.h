// SPDX-License-Identifier: MIT
// Clusters of samples in a recording in bursts: samples taken close to each other are correlated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/sum_error.h"
#include "profile/profile.h"

namespace hm::profile {

// Groups the samples by time, in order to estimate errors from differences between groups (batch means: A. M.
// Law, Simulation Modeling and Analysis, 5th ed., section 9.5.3). Differences between single samples would
// underestimate the error, because neighbours are correlated. The groups are the episodes in which a running
// process was measured; without episodes, consecutive parts of the bursts with equal numbers of slots. No
// part divides a burst: its halves are so alike that the error would come out too small, by half for a
// function that few bursts have met.
class Clusters {
 public:
  // Creates no clusters if the recording was not made in bursts.
  explicit Clusters(const Profile& profile);

  [[nodiscard]] uint32_t count() const { return count_; }
  [[nodiscard]] uint32_t of(size_t sample) const;
  // Returns true if the clusters cover the whole run without gaps.
  [[nodiscard]] bool are_whole_run() const { return !in_episodes_; }
  // Episodes are treated as a random selection.
  [[nodiscard]] Selection selection() const {
    return are_whole_run() ? Selection::kEvenlySpread : Selection::kRandom;
  }
  // Returns true for the part of the run before the first burst, if everything in it was counted. It has no
  // sampling error.
  [[nodiscard]] bool is_exact(uint32_t cluster) const { return first_is_exact_ && cluster == 0; }

 private:
  static constexpr uint32_t kMost = 64;

  const Column* times_ = nullptr;
  uint32_t count_ = 0;
  bool in_episodes_ = false;
  bool first_is_exact_ = false;
  std::vector<uint64_t> begins_ns_;  // start times of all clusters but the first
};

// Sum of an amount in each cluster, by cluster number; empty if nothing was added.
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

// Returns the error of sum(part) / sum(whole).
[[nodiscard]] SumError ratio_error(const ClusterSums& part, const ClusterSums& whole,
                                   const Clusters& clusters);

}  // namespace hm::profile
