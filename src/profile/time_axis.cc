// SPDX-License-Identifier: MIT
#include "profile/time_axis.h"

namespace hm::profile {
namespace {

bool all_have_cycles(const Samples& samples) {
  for (size_t i = 0; i < samples.size(); ++i) {
    if (!samples.run_cycles.at(i)) return false;
  }
  return samples.size() != 0;
}

}  // namespace

TimeAxis::TimeAxis(const Profile& profile) : times_(&profile.samples.time_ns) {
  if (!profile.occupancy.empty() || !all_have_cycles(profile.samples)) return;
  times_ = &profile.samples.run_cycles;
  unit_ = TimeUnit::kCycles;
}

}  // namespace hm::profile
