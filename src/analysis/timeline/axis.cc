// SPDX-License-Identifier: MIT
#include "analysis/timeline/axis.h"

namespace hm::timeline {
namespace {

bool all_have_cycles(const profile::Samples& samples) {
  for (size_t i = 0; i < samples.size(); ++i) {
    if (!samples.run_cycles.at(i)) return false;
  }
  return samples.size() != 0;
}

}  // namespace

Axis::Axis(const profile::Profile& profile) : times_(&profile.samples.time_ns) {
  if (!profile.occupancy.empty() || !all_have_cycles(profile.samples)) return;
  times_ = &profile.samples.run_cycles;
  unit_ = Unit::kCycles;
}

}  // namespace hm::timeline
