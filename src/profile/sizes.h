// SPDX-License-Identifier: MIT
// The misses of caches of all sizes, which a recording may tell of (record --sizes).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "record/features.h"

namespace hm::profile {

// Exact counts of a run, of its accesses to data.
struct Sizes {
  uint32_t least_sets = 0;
  uint32_t set_counts = 0;  // least_sets, twice that, ...
  uint32_t ways = 0;        // 1 to so many
  uint32_t line_bytes = 0;
  uint64_t accesses = 0;
  uint64_t unplaced_accesses = 0;             // beside these: nothing is known of them
  std::vector<std::vector<uint64_t>> misses;  // by number of sets, and by ways less 1

  [[nodiscard]] uint32_t sets(uint32_t i) const { return least_sets << i; }
  [[nodiscard]] uint64_t bytes(uint32_t i, uint32_t some_ways) const {
    return uint64_t{sets(i)} * some_ways * line_bytes;
  }
};

// nullopt where the recording does not say, or not in a way that makes sense.
[[nodiscard]] std::optional<Sizes> recorded_sizes(const record::Features& features);

}  // namespace hm::profile
