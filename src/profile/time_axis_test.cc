// SPDX-License-Identifier: MIT
#include "profile/time_axis.h"

#include <gtest/gtest.h>

namespace hm::profile {
namespace {

Profile three_samples() {
  Profile profile;
  for (size_t i = 0; i < 3; ++i) {
    profile.samples.event.push_back(0);
    profile.samples.time_ns.set(i, 100 * i);
    profile.samples.run_cycles.set(i, 1000 * i);
  }
  return profile;
}

TEST(TimeAxis, IsOfModelledCyclesIfAllSamplesHaveThem) {
  Profile profile = three_samples();
  EXPECT_EQ(TimeAxis(profile).unit(), TimeUnit::kCycles);
  EXPECT_EQ(TimeAxis(profile).at(2), 2000u);
  profile.samples.event.push_back(0);
  profile.samples.time_ns.set(3, 300);  // from another PMU
  EXPECT_EQ(TimeAxis(profile).unit(), TimeUnit::kNanoseconds);
  EXPECT_EQ(TimeAxis(profile).at(2), 200u);
}

TEST(TimeAxis, IsOfTheClockIfTheCacheWasReadByIt) {
  Profile profile = three_samples();
  profile.occupancy.emplace_back();
  EXPECT_EQ(TimeAxis(profile).unit(), TimeUnit::kNanoseconds);
}

}  // namespace
}  // namespace hm::profile
