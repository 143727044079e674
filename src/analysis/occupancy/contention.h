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
  double value = 0, low = 0, high = 0;  // with its 95 % confidence interval
};

// An event of one came more often while another held much of the cache and it itself held less than else.
struct Contention {
  size_t victim = 0, neighbour = 0;  // in Profile::occupancy
  std::string event;
  Ratio ratio;                 // of how often it came in a second, while the neighbour held much and else
  double much_share = 0;       // of the cache, from which on it is much
  double neighbour_share = 0;  // on average while it held much
  double victim_share_then = 0, victim_share_else = 0;  // likewise, and else
  uint64_t longest_begin_ns = 0, longest_end_ns = 0;    // of the stretches of much
  // How the cache may be divided between the two; nullopt where the recording does not tell how many ways
  // there are.
  std::optional<Split> split;
  // The function whose events rose most.
  std::string function, dso;
  std::optional<double> function_ratio;  // nullopt: it had none else
};

// What is told: the event came at least so many times as often, with 95 % confidence; the neighbour's part of
// the cache varied by so much at least, and so many intervals between readings are on each side.
inline constexpr double kLeastRatio = 1.2, kLeastVariation = 0.15;
inline constexpr size_t kFewestIntervals = 5;

// Of each one who was measured, with each other. `origin_ns`: when time begins. Neighbouring intervals are
// alike, so the confidence interval counts them as fewer (by their lag-1 autocorrelation).
[[nodiscard]] std::vector<Contention> find_contentions(const profile::Profile& profile, uint64_t cache_bytes,
                                                       uint64_t origin_ns,
                                                       const std::vector<SizedProgram>& programs);

}  // namespace hm::occupancy
