// SPDX-License-Identifier: MIT
// Finds the levels of memory in a curve: the plateaus between its steps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/curve.h"

namespace hm::host {

struct Level {
  uint64_t first_bytes = 0;  // the sizes of the plateau
  uint64_t last_bytes = 0;
  Estimate ns;  // the median of the points there
  Estimate cycles;
  // The greatest measured size at which at least half of the loads still find their line here, taking each
  // latency for a mixture of this level's and the next one's; nothing for the last level.
  std::optional<uint64_t> capacity_bytes;
};

struct Levels {
  std::vector<Level> levels;  // the fastest first
  bool rises_at_end = false;  // the curve still rises at its end: the last level may be slower than shown
};

// From steady points only. A step is where latency rises by kSteepSlope or more, both taken as logarithms,
// over the quarter octaves of size on both sides, or by kDistinct at once; levels are what steps part, if
// they differ by kDistinct. What rises more slowly is a TLB's reach or a shared cache, and no level of its
// own; what scatters is none either.
[[nodiscard]] Levels find_levels(const Curve& curve);
inline constexpr double kSteepSlope = 0.7;  // octaves of latency by octaves of size
inline constexpr double kDistinct = 1.5;    // times the latency

// The points' cost, where there are any: what another curve says of a level's sizes.
[[nodiscard]] std::optional<Estimate> cost_between(const Curve& curve, uint64_t first_bytes,
                                                   uint64_t last_bytes);

// The greatest size up to which small pages cost at most a tenth more than huge ones, both curves being of
// the same sizes; nothing where they never cost more, or it cannot be said.
[[nodiscard]] std::optional<uint64_t> small_pages_suffice_to(const Curve& small, const Curve& huge);

}  // namespace hm::host
