// SPDX-License-Identifier: MIT
#include "host/calibration/machine_profile.h"

#include <algorithm>

namespace hm::host {

bool is_steady(const Estimate& estimate) {
  constexpr double kSteady = 0.1;
  return std::max(estimate.value - estimate.low, estimate.high - estimate.value) <=
         kSteady * std::max(estimate.value, kSmallestNs);
}

double most_overlap(const LevelProfile& level) {
  if (level.overlap.empty()) return 1;
  double least =
      std::ranges::min(level.overlap, {}, [](const Overlap& each) { return each.ns.value; }).ns.value;
  return least > 0 ? level.overlap.front().ns.value / least : 1;
}

}  // namespace hm::host
