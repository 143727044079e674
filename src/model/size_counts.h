// SPDX-License-Identifier: MIT
// The hits of many LRU caches at once, as counted by one pass of StackDistances. Freestanding plain data: the
// engines write it, the recorder reads it.
#pragma once

#include <stdint.h>

#include "model/geometry.h"

namespace hm::model {

inline constexpr uint32_t kMaxSetCounts = 16;

// Caches of every number of ways up to a maximum, and of several numbers of sets.
struct SizeRange {
  uint32_t min_sets = 0;     // a power of two
  uint32_t set_counts = 0;   // min_sets, twice that, ...: at most kMaxSetCounts numbers; 0: none
  uint32_t ways = 0;         // maximum number of ways, at most kMaxCacheWays
  unsigned block_shift = 0;  // log2 of the line or page size in bytes; 0: the machine's lines
  unsigned sampled_shift =
      0;  // one set in 2^sampled_shift is simulated: at least kSizeBatches of the fewest sets

  [[nodiscard]] constexpr uint32_t sets(uint32_t i) const { return min_sets << i; }
  bool operator==(const SizeRange&) const = default;
};

// A partial simulation is divided into this many batches of similar size: of sets, or of bursts in which
// accesses are counted. The variance between batches gives the error of the total.
inline constexpr uint32_t kSizeBatches = 8;

// Several ranges at once. Sets may be sampled only for the machine's lines.
struct SizeRanges {
  static constexpr uint32_t kMaxFurther = 3;

  SizeRange lines;                 // of the machine's lines
  SizeRange further[kMaxFurther];  // for other line sizes, or pages (TLBs); followed by empty ranges
};

struct SizeCounts {
  uint64_t accesses = 0;
  uint64_t unplaced = 0;  // further accesses, with unknown results (CompactNumbers)
  // By number of sets and by depth. Depth 0 has only accesses to a line that was not the most recent of its
  // set with fewer sets; with more sets it is the most recent, too.
  uint64_t at_depth[kMaxSetCounts][kMaxCacheWays] = {};

  // Returns how many accesses had this depth with SizeRange::sets(i) sets.
  [[nodiscard]] uint64_t hits(uint32_t i, uint32_t depth) const {
    if (depth != 0) return at_depth[i][depth];
    uint64_t sum = 0;
    for (uint32_t fewer = 0; fewer <= i; ++fewer) sum += at_depth[fewer][0];
    return sum;
  }

  // Returns the misses of a cache of SizeRange::sets(i) sets and `ways` ways.
  [[nodiscard]] uint64_t misses(uint32_t i, uint32_t ways) const {
    uint64_t misses = accesses;
    for (uint32_t depth = 0; depth < ways; ++depth) misses -= hits(i, depth);
    return misses;
  }

  // Adds the counts of this range to `sum`, to which others add concurrently.
  void add_to(SizeCounts& sum, const SizeRange& range) const {
    const auto add = [](uint64_t from, uint64_t& to) {
      if (from != 0) __atomic_fetch_add(&to, from, __ATOMIC_RELAXED);
    };
    add(accesses, sum.accesses);
    add(unplaced, sum.unplaced);
    for (uint32_t i = 0; i < range.set_counts; ++i) {
      for (uint32_t depth = 0; depth < range.ways; ++depth) add(at_depth[i][depth], sum.at_depth[i][depth]);
    }
  }

  // Like add_to(), but resets the counts afterwards.
  void move_to(SizeCounts& sum, const SizeRange& range) {
    add_to(sum, range);
    *this = {};
  }
};

}  // namespace hm::model
