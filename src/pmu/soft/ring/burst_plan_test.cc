// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {
namespace {

TEST(BurstPlanTest, BurstsBecomeLongerUpToALimit) {
  BurstPlan plan;
  plan.bursts_per_doubling = 400;
  EXPECT_EQ(burst_doublings(plan, 99), 0u);
  EXPECT_EQ(burst_doublings(plan, 100), 1u);
  EXPECT_EQ(burst_doublings(plan, 299), 2u);
  EXPECT_EQ(burst_doublings(plan, 699), 3u);
  EXPECT_EQ(burst_doublings(plan, 700), 4u);
  EXPECT_EQ(burst_doublings(plan, UINT64_MAX), 6u);
  plan.bursts_per_doubling = 0;
  EXPECT_EQ(burst_doublings(plan, 1000), 0u);
}

TEST(BurstPlanTest, ABurstWeighsMoreIfItsUpdateTakesAGreatPartOfItsGap) {
  BurstPlan plan;
  plan.gap_slots = 1u << 20;
  EXPECT_EQ(burst_weight(plan, 3, 0), 1u);
  EXPECT_EQ(burst_weight(plan, 3, 8000), 1u);
  EXPECT_EQ(burst_weight(plan, 3, 8200), 2u);
  EXPECT_EQ(burst_weight(plan, 4, 8200), 1u) << "the gap is longer";
  EXPECT_EQ(burst_weight(plan, 3, UINT32_MAX), 8u);
  EXPECT_EQ(burst_weight(plan, 2, UINT32_MAX), 1u) << "early bursts";
}

}  // namespace
}  // namespace hm::soft
