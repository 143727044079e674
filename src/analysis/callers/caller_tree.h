// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/hotspots/caller.h"
#include "profile/profile.h"

namespace hm::hotspots {

// Who called one row's function: a tree from the row outwards.
class CallerTree {
 public:
  CallerTree(const profile::Profile& profile, uint32_t max_depth)
      : profile_(&profile), max_depth_(max_depth) {}

  void add(size_t sample);
  // Branches with less than `min_share` of the samples are left out.
  [[nodiscard]] std::vector<Caller> callers(double min_share) const;

 private:
  struct Node {
    uint32_t function = 0;
    uint64_t samples = 0;
    std::vector<uint32_t> children;
  };

  uint32_t child(uint32_t parent, uint32_t function);
  [[nodiscard]] std::vector<Caller> below(uint32_t node, double min_share) const;

  const profile::Profile* profile_;
  uint32_t max_depth_;
  std::vector<Node> nodes_{Node{}};                  // [0] is the row itself
  std::unordered_map<uint64_t, uint32_t> children_;  // by parent and function
};

}  // namespace hm::hotspots
