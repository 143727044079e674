// SPDX-License-Identifier: MIT
// Result of the pointer chase: latency of a load by the size of the memory that is visited at random.
#pragma once

#include <cstdint>
#include <vector>

#include "host/estimate.h"

namespace hm::host {

struct Point {
  uint64_t size_bytes = 0;
  Estimate ns;          // latency of a load
  double core_ghz = 0;  // the core's clock frequency just before
};

// Returns whether the repetitions agree. An interval wider than a fifth of the value indicates a disturbance.
[[nodiscard]] inline bool is_steady(const Point& point) {
  return point.ns.high - point.ns.low <= point.ns.value / 5;
}

using Curve = std::vector<Point>;  // in ascending order of size

}  // namespace hm::host
