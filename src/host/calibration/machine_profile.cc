// SPDX-License-Identifier: MIT
#include "host/calibration/machine_profile.h"

#include <algorithm>

#include "host/calibration/sparse_loads.h"

namespace hm::host {

bool is_steady(const Estimate& estimate) {
  constexpr double kSteady = 0.1;
  return std::max(estimate.value - estimate.low, estimate.high - estimate.value) <=
         kSteady * std::max(estimate.value, kSmallestNs);
}

double latency_ns(const LevelProfile& level) { return level.overlap.front().ns.value; }

double min_ns(const LevelProfile& level) {
  return std::ranges::min(level.overlap, {}, [](const Overlap& each) { return each.ns.value; }).ns.value;
}

double window_instructions(const MachineProfile& profile) {
  return latency_ns(profile.levels.back()) / profile.sparse_load_ns.value * kInstructionsPerSparseLoad;
}

// More chains than were measured cannot overlap, even if a disturbed measurement suggests it.
double max_overlap(const LevelProfile& level) {
  if (level.overlap.empty()) return 1;
  uint32_t most = std::ranges::max(level.overlap, {}, &Overlap::chains).chains;
  return std::min(latency_ns(level) / min_ns(level), static_cast<double>(most));
}

}  // namespace hm::host
