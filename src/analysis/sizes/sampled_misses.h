// SPDX-License-Identifier: MIT
// Extrapolates misses from the simulated sets to all sets.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "model/size_counts.h"

namespace hm::sizes {

struct SampledMisses {
  uint64_t misses;
  uint64_t error;  // half-width of the 95 % interval
};

// Extrapolates for a cache of SizeRange::sets(i) sets and `ways` ways. Treats the batches as a random sample
// of all sets (Cochran, "Sampling Techniques", chapter 2), with Student's t of 7 degrees of freedom.
inline SampledMisses sampled_misses(std::span<const model::SizeCounts> batches, uint64_t accesses,
                                    const model::SizeRange& range, uint32_t i, uint32_t ways) {
  constexpr double kStudent = 2.365;
  static_assert(model::kSizeBatches == 8);
  double sum = 0, squares = 0;
  for (const model::SizeCounts& batch : batches) {
    auto misses = static_cast<double>(batch.misses(i, ways));
    sum += misses;
    squares += misses * misses;
  }
  auto count = static_cast<double>(batches.size());
  double one_in = std::ldexp(1.0, static_cast<int>(range.sampled_shift));
  double variance = std::max(0.0, squares - sum * sum / count) / (count - 1) * (1 - 1 / one_in);
  return {std::min(static_cast<uint64_t>(sum * one_in), accesses),
          static_cast<uint64_t>(std::ceil(one_in * kStudent * std::sqrt(count * variance)))};
}

}  // namespace hm::sizes
