// SPDX-License-Identifier: MIT
// The hits of many LRU caches at once: what one pass of StackDistances counts. Freestanding plain data: the
// engines write it, the recorder reads it.
#pragma once

#include <stdint.h>

#include "model/geometry.h"

namespace hm::model {

inline constexpr uint32_t kMaxSetCounts = 16;

// Caches of every number of ways up to a greatest, and of several numbers of sets.
struct SizeRange {
  uint32_t least_sets = 0;   // a power of two
  uint32_t set_counts = 0;   // least_sets, twice that, ...: at most kMaxSetCounts; 0: none
  uint32_t ways = 0;         // the greatest number: at most kMaxCacheWays
  unsigned block_shift = 0;  // of the lines' or pages' bytes, log2; 0: those of the machine's lines
  unsigned sampled_shift =
      0;  // one set in 2^sampled_shift is simulated: at least kSizeBatches of the fewest sets

  [[nodiscard]] constexpr uint32_t sets(uint32_t i) const { return least_sets << i; }
  bool operator==(const SizeRange&) const = default;
};

// What is simulated comes in so many batches, alike in size, where it is not all: what these differ by tells
// how far all together can be off. Batches of sets, or of the bursts in which accesses are counted.
inline constexpr uint32_t kSizeBatches = 8;

// Several at once. Only of the machine's lines sets may be sampled.
struct SizeRanges {
  static constexpr uint32_t kMostFurther = 3;

  SizeRange lines;                  // of the machine's lines
  SizeRange further[kMostFurther];  // of other lines, or of pages: TLBs; behind the last are empty ones
};

struct SizeCounts {
  uint64_t accesses = 0;
  uint64_t unplaced = 0;  // further ones, of which nothing is known (CompactNumbers)
  // By number of sets and by depth. Depth 0 has only those accesses whose line was not the most recent of its
  // set with fewer sets: with more sets it is that, too.
  uint64_t at_depth[kMaxSetCounts][kMaxCacheWays] = {};

  // How many accesses had this depth with SizeRange::sets(i) sets.
  [[nodiscard]] uint64_t hits(uint32_t i, uint32_t depth) const {
    if (depth != 0) return at_depth[i][depth];
    uint64_t sum = 0;
    for (uint32_t fewer = 0; fewer <= i; ++fewer) sum += at_depth[fewer][0];
    return sum;
  }

  // The misses of a cache of SizeRange::sets(i) sets and `ways` ways.
  [[nodiscard]] uint64_t misses(uint32_t i, uint32_t ways) const {
    uint64_t misses = accesses;
    for (uint32_t depth = 0; depth < ways; ++depth) misses -= hits(i, depth);
    return misses;
  }

  // Adds the counts of such a range to `sum`, to which others add at the same time.
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

  // Likewise, and begins anew.
  void move_to(SizeCounts& sum, const SizeRange& range) {
    add_to(sum, range);
    *this = {};
  }
};

}  // namespace hm::model
