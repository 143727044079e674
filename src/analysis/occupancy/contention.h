// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/split.h"
#include "profile/profile.h"

namespace hm::occupancy {

struct Ratio {
  double value = 0, low = 0, high = 0;  // `low` and `high` are the limits of the 95 % confidence interval
};

// An event of the victim was more frequent while the neighbour held a large part of the cache and the victim
// held less than otherwise.
struct Contention {
  size_t victim = 0, neighbour = 0;  // indices into Profile::occupancy
  std::string event;
  Ratio ratio;            // event rate while the neighbour's share was large, relative to the rate otherwise
  double much_share = 0;  // minimum share of the cache that counts as large
  double neighbour_share = 0;  // mean share while it was large
  double victim_share_then = 0,
         victim_share_else = 0;  // mean shares while the neighbour's share was large, and otherwise
  uint64_t longest_begin_ns = 0,
           longest_end_ns = 0;  // longest interval during which the neighbour's share was large
  // Proposed division of the cache between the two; nullopt if the recording lacks the number of ways.
  std::optional<Split> split;
  // The function with the largest increase of events.
  std::string function, dso;
  std::optional<double> function_ratio;  // nullopt: the function had no events otherwise
};

// Thresholds for a contention: the minimum ratio of event rates, with 95 % confidence. The minimum range of
// the neighbour's share. The minimum number of intervals between readings on each side.
inline constexpr double kMinRatio = 1.2, kMinVariation = 0.15;
inline constexpr size_t kFewestIntervals = 5;

// Checks all pairs of measured processes. `origin_ns` is the zero of time. Successive intervals are
// correlated, so the confidence interval uses a reduced effective number of intervals (from the lag-1
// autocorrelation).
[[nodiscard]] std::vector<Contention> find_contentions(const profile::Profile& profile, uint64_t cache_bytes,
                                                       uint64_t origin_ns,
                                                       const std::vector<SizedProgram>& programs);

}  // namespace hm::occupancy
