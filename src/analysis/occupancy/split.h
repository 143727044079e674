// SPDX-License-Identifier: MIT
// How a cache may be divided between two programs of which one crowds the other out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"
#include "profile/sizes.h"

namespace hm::occupancy {

// A program of which another recording tells how often caches of all sizes miss (record --sizes).
struct SizedProgram {
  std::string input;    // that recording
  std::string command;  // what was run
  profile::Sizes sizes;
};

// Of 1000 accesses of a program, so many miss in its ways, and in a cache of the size that it held while
// crowded, which is between two numbers of ways. An estimate: a program's part of a cache that others use is
// taken for a cache of its own.
struct PredictedMisses {
  double divided = 0;
  double crowded_low = 0, crowded_high = 0;
};

struct Split {
  uint64_t victim_ways = 0, neighbour_ways = 0;      // masks
  std::optional<PredictedMisses> victim, neighbour;  // nullopt: no recording tells of its sizes
};

// A program that is to get a part of a cache.
struct Sharer {
  std::string name;          // as rows of occupancy are named
  double crowded_share = 0;  // what it held of the cache while the victim was crowded
};

struct DividedCache {
  uint64_t bytes = 0;
  uint32_t ways = 0;  // 0: not known
};

// The last level that the recording's machine has.
[[nodiscard]] DividedCache divided_cache(const profile::Profile& profile, uint64_t cache_bytes);

// The victim gets the upper ways, the neighbour the others, each one at least. How many:
// - where both are among `programs`, so that both together miss least (Qureshi and Patt, "Utility-Based Cache
//   Partitioning", MICRO 2006);
// - where the victim is, as many as it takes for more to hardly help;
// - else as much of the cache as it held when it was not crowded, `uncrowded_share`.
// A program is the one of the same command line, else of the same name. nullopt where it is not known what
// ways the cache has, or it has one.
[[nodiscard]] std::optional<Split> find_split(const Sharer& victim, const Sharer& neighbour,
                                              double uncrowded_share, const DividedCache& cache,
                                              const std::vector<SizedProgram>& programs);

// An error where some program was not measured by this recording, or its own tells of no cache so large.
[[nodiscard]] Status check_programs(const profile::Profile& profile, uint64_t cache_bytes,
                                    const std::vector<SizedProgram>& programs);

}  // namespace hm::occupancy
