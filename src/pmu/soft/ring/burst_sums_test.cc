// SPDX-License-Identifier: MIT
#include "pmu/soft/ring/burst_sums.h"

#include <gtest/gtest.h>

#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {
namespace {

TEST(WideSumTest, ExceedsSixtyFourBits) {
  WideSum sum{};
  for (int i = 0; i < 4; ++i) sum.add(UINT64_MAX, UINT64_MAX);
  EXPECT_TRUE(sum.value() == 4 * (static_cast<unsigned __int128>(UINT64_MAX) * UINT64_MAX));
}

TEST(WideSumTest, AddsAnotherSum) {
  WideSum one{}, other{};
  one.add(UINT64_MAX, 2);
  other.add(UINT64_MAX, 3);
  one.add(other);
  EXPECT_TRUE(one.value() == static_cast<unsigned __int128>(UINT64_MAX) * 5);
}

TEST(BurstSumsTest, AddsSquaresAndProducts) {
  BurstSums sums{};
  uint64_t events[event::kEventCount] = {7};
  events[event::index_of(event::EventId::kMemoryWait)] = 2;
  sums.add_burst(3, 10, events);
  sums.add_burst(4, 20, events);
  EXPECT_EQ(sums.bursts, 2u);
  EXPECT_EQ(sums.slots, 7u);
  EXPECT_EQ(static_cast<uint64_t>(sums.slots_squared.value()), 25u);
  EXPECT_EQ(static_cast<uint64_t>(sums.events_squared[0].value()), 98u);
  EXPECT_EQ(static_cast<uint64_t>(sums.products[0].value()), 49u);
  EXPECT_EQ(sums.cycles, 30u);
  EXPECT_EQ(static_cast<uint64_t>(sums.cycles_squared.value()), 500u);
  EXPECT_EQ(static_cast<uint64_t>(sums.cycles_by_slots.value()), 110u);
  EXPECT_EQ(static_cast<uint64_t>(sums.cycles_by_waits.value()), 60u);
}

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
