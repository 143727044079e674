// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/burst_estimate.h"

#include <gtest/gtest.h>

namespace hm::soft {
namespace {

Totals totals_of(uint64_t slots, uint64_t counted, uint64_t exact) {
  Totals totals;
  totals.slots = slots;
  totals.counted.slots = counted;
  totals.exact.slots = exact;
  return totals;
}

TEST(BurstEstimateTest, BurstsAreScaledToAllSlots) {
  BurstEstimate estimate(totals_of(1000, 10, 0));
  EXPECT_EQ(estimate.all(3, 0), 300u);
  EXPECT_EQ(estimate.estimated_part(3, 0), 1);
}

TEST(BurstEstimateTest, WhatIsKnownExactlyIsNotScaled) {
  BurstEstimate estimate(totals_of(1000, 110, 100));  // bursts of 10 slots represent 900
  EXPECT_EQ(estimate.all(57, 50), 50u + 630);
  EXPECT_NEAR(estimate.estimated_part(57, 50), 630.0 / 680, 1e-9);
}

TEST(BurstEstimateTest, ARunThatEndsBeforeTheFirstBurstIsExact) {
  BurstEstimate estimate(totals_of(100, 100, 100));
  EXPECT_TRUE(estimate.is_exact());
  EXPECT_EQ(estimate.all(57, 57), 57u);
  EXPECT_EQ(estimate.estimated_part(57, 57), 0);
}

TEST(BurstEstimateTest, ARunThatEndsShortlyAfterItIsTakenToBeLikeItsBeginning) {
  EXPECT_EQ(BurstEstimate(totals_of(110, 100, 100)).all(50, 50), 55u);
}

TEST(BurstEstimateTest, WithoutAnyBurstNothingIsKnown) {
  BurstEstimate estimate(totals_of(100, 0, 0));
  EXPECT_TRUE(estimate.knows_nothing());
  EXPECT_EQ(estimate.all(0, 0), 0u);
}

}  // namespace
}  // namespace hm::soft
