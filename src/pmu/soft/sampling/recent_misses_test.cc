// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/recent_misses.h"

#include <gtest/gtest.h>

namespace hm::soft {
namespace {

TEST(RecentMisses, StepsAreThoseOfTheSiteThatMissedLast) {
  RecentMisses misses;
  misses.add(1, 0x1000);
  misses.add(2, 0x9000);
  misses.add(1, 0x1100);
  misses.add(2, 0x8000);
  misses.add(1, 0x10c0);
  record::MissSteps steps = misses.steps();
  ASSERT_EQ(steps.count, 2u);
  EXPECT_EQ(+steps.bytes[0], -0x40);
  EXPECT_EQ(+steps.bytes[1], 0x100);
}

TEST(RecentMisses, ALastMissAloneHasNoSteps) {
  RecentMisses misses;
  misses.add(1, 0x1000);
  EXPECT_EQ(misses.steps().count, 0u);
  misses.add(2, 0x2000);
  EXPECT_EQ(misses.steps().count, 0u);
}

TEST(RecentMisses, ForgetsWhatWasLongAgo) {
  RecentMisses misses;
  misses.add(1, 0x1000);
  for (uint64_t i = 0; i < RecentMisses::kRemembered - 1; ++i) misses.add(2, 64 * i);
  EXPECT_EQ(misses.steps().count, record::kMissSteps);
  misses.add(1, 0x2000);
  EXPECT_EQ(misses.steps().count, 0u);
}

}  // namespace
}  // namespace hm::soft
