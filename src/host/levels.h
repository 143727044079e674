// SPDX-License-Identifier: MIT
// Finds the levels of the memory hierarchy in a latency curve: the plateaus between its steps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/curve.h"

namespace hm::host {

struct Level {
  uint64_t first_bytes = 0;  // smallest and largest size of the plateau
  uint64_t last_bytes = 0;
  Estimate ns;  // median of the plateau's points
  Estimate cycles;
  // Largest measured size at which at least half of the loads still hit this level, if each latency is a
  // mixture of this level's and the next one's. Unset for the last level.
  std::optional<uint64_t> capacity_bytes;
};

struct Levels {
  std::vector<Level> levels;  // fastest first
  bool rises_at_end = false;  // the curve still rises at its end: the last level may be slower than shown
};

// Finds the levels, using steady points only. A step is a place where latency rises by kSteepSlope or more
// (on logarithmic scales) over the quarter octaves on both sides, or by kDistinct at once. Levels are
// separated by steps and differ by kDistinct. A slower rise is a TLB's reach or a shared cache, not a level
// of its own. Scattered points are not a level either.
[[nodiscard]] Levels find_levels(const Curve& curve);
inline constexpr double kSteepSlope = 0.7;  // octaves of latency per octave of size
inline constexpr double kDistinct = 1.5;    // ratio of latencies

// Returns the median latency of the curve's points in a range of sizes; nullopt if there are none. Use it to
// evaluate another curve at a level's sizes.
[[nodiscard]] std::optional<Estimate> cost_between(const Curve& curve, uint64_t first_bytes,
                                                   uint64_t last_bytes);

// Returns the largest size up to which small pages cost at most a tenth more than huge pages. Both curves
// must have the same sizes. Returns nullopt if small pages never cost more, or if it is unknown.
[[nodiscard]] std::optional<uint64_t> small_pages_suffice_to(const Curve& small, const Curve& huge);

}  // namespace hm::host
