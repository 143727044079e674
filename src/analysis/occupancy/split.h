// SPDX-License-Identifier: MIT
// Divides a cache between two programs if one evicts the other's lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"
#include "profile/recorded_sizes.h"

namespace hm::occupancy {

// A program with a miss curve from another recording (record --sizes).
struct SizedProgram {
  std::string input;    // name of that recording
  std::string command;  // the recorded command
  profile::Sizes sizes;
};

// Predicted misses per 1000 accesses of a program, with its own ways and with the share that it held while
// crowded. That share lies between two numbers of ways. An estimate: a share of a shared cache is treated as
// a private cache of this size.
struct PredictedMisses {
  double divided = 0;
  double crowded_low = 0, crowded_high = 0;
};

struct Split {
  uint64_t victim_ways = 0, neighbour_ways = 0;      // CAT masks
  std::optional<PredictedMisses> victim, neighbour;  // nullopt: no miss curve was recorded
};

// A program that is to get a part of a cache.
struct Sharer {
  std::string name;          // as in the rows of occupancy
  double crowded_share = 0;  // its share of the cache while the victim was crowded
};

struct DividedCache {
  uint64_t bytes = 0;
  uint32_t ways = 0;  // 0: unknown
};

// Returns the last-level cache of the recording's machine.
[[nodiscard]] DividedCache divided_cache(const profile::Profile& profile, uint64_t cache_bytes);

// Gives the victim the upper ways and the neighbour the others, at least one each. The number of the victim's
// ways:
// - if both are in `programs`: the number that minimizes the sum of misses (Qureshi and Patt, "Utility-Based
// Cache
//   Partitioning", MICRO 2006);
// - if only the victim is: the number beyond which more ways hardly help;
// - else in proportion to `uncrowded_share`, its share of the cache while not crowded.
// A program matches by equal command line, else by equal name. Returns nullopt if the number of ways is
// unknown or less than 2.
[[nodiscard]] std::optional<Split> find_split(const Sharer& victim, const Sharer& neighbour,
                                              double uncrowded_share, const DividedCache& cache,
                                              const std::vector<SizedProgram>& programs);

// Fails if a program was not measured by this recording, or if its own recording covers no cache of this
// size.
[[nodiscard]] Status check_programs(const profile::Profile& profile, uint64_t cache_bytes,
                                    const std::vector<SizedProgram>& programs);

}  // namespace hm::occupancy
