// SPDX-License-Identifier: MIT
// What uses a region of the cache while it is crowded.
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
  double share = 0;    // of the region's events while it is crowded
  uint64_t pages = 0;  // distinct ones, in the region
};

struct CrowdedRegion {
  uint32_t region = 0;
  double ways = 0;  // required, the mean over time
  uint32_t most_ways = 0;
  double crowded = 0;    // the part of the time in which that was more than the cache has
  uint64_t samples = 0;  // while it was
  std::vector<Named> objects, types, functions;  // of these samples; largest share first
};

class Crowds {
 public:
  Crowds(const profile::Profile& profile, uint32_t regions) : profile_(profile), regions_(regions) {}

  void add(uint32_t region, size_t sample, uint64_t page);

  // Fills in what crowds `region`: at most `limit` of each kind, 0 is all.
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
