// SPDX-License-Identifier: MIT
// Determines which data and code use a cache region while the region is crowded: it needs more ways than the
// cache has.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "profile/profile.h"

namespace hm::map {

struct Named {
  std::string name;
  uint64_t samples = 0;
  uint64_t pages = 0;  // distinct pages in the region
  double share = 0;    // fraction of the region's events while it is crowded
};

struct CrowdedRegion {
  uint32_t region = 0;
  double ways = 0;  // required associativity, the mean over time
  uint32_t max_ways = 0;
  double crowded = 0;    // fraction of the time in which the required ways exceed those of the cache
  uint64_t samples = 0;  // samples while the region was crowded
  std::vector<Named> objects, types, functions;  // of the samples above; largest share first
};

class Crowds {
 public:
  Crowds(const profile::Profile& profile, uint32_t regions) : profile_(profile), regions_(regions) {}

  void add(uint32_t region, size_t sample, uint64_t page);

  // Sets the samples and names of `region`: at most `limit` objects, types and functions each, 0 = all.
  void describe(size_t limit, CrowdedRegion& region) const;

 private:
  struct Tally {
    uint64_t samples = 0;
    double events = 0;
    std::unordered_set<uint64_t> pages;
  };
  using Tallies = std::unordered_map<uint32_t, Tally>;  // by row of the profile
  struct Region {
    uint64_t samples = 0;
    double events = 0;
    Tallies objects, types, functions;
  };

  template <typename NameOf>
  static std::vector<Named> named(const Tallies& tallies, double all_events, size_t limit, NameOf&& name_of);

  const profile::Profile& profile_;
  std::vector<Region> regions_;
};

}  // namespace hm::map
