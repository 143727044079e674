// SPDX-License-Identifier: MIT
// What the chase measures: the latency of a load, by the size of the memory that is visited at random.
#pragma once

#include <cstdint>
#include <vector>

#include "host/estimate.h"

namespace hm::host {

struct Point {
  uint64_t size_bytes = 0;
  Estimate ns;          // a load
  double core_ghz = 0;  // the core's clock just before
};

// Whether the repetitions agree: where the interval is wider than a fifth, something else disturbed them.
[[nodiscard]] inline bool is_steady(const Point& point) {
  return point.ns.high - point.ns.low <= point.ns.value / 5;
}

using Curve = std::vector<Point>;  // by size, growing

}  // namespace hm::host
