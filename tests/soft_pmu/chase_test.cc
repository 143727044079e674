// SPDX-License-Identifier: MIT
// The chase that `hardmeter latency` times, on modelled caches: beyond a level's size each load misses the
// level, within the size none does. A measured latency relies on this.
#include <gtest/gtest.h>

#include "measuring.h"

namespace hm::soft_pmu_test {
namespace {

constexpr uint64_t kSteps = 16000;

// Returns the counts of a number of additional steps of the chase.
Counts counts_of_steps(uint64_t bytes) {
  const Words machine{"--l1d", "4K,4", "--l2", "64K,8", "--l3", "none", "--dtlb", "16", "--stlb", "none"};
  auto chase = [&](uint64_t steps) {
    return count(machine, {program("chase"), std::to_string(bytes), std::to_string(steps)});
  };
  Counts fewer = chase(2 * kSteps), more = chase(3 * kSteps);
  Counts added;
  for (const auto& [event, value] : more) added[event] = value - fewer[event];
  return added;
}

TEST(Chase, HitsWithinTheFirstLevel) {
  Counts added = counts_of_steps(2 << 10);
  EXPECT_EQ(added["l1_cache_miss"], 0);
  EXPECT_EQ(added["l2_cache_miss"], 0);
  EXPECT_EQ(added["dtlb_load_miss"], 0);
  EXPECT_GE(added["memory_loads"], kSteps);
}

TEST(Chase, MissesTheFirstLevelWithEachLoadBeyondItsSize) {
  Counts added = counts_of_steps(8 << 10);
  EXPECT_EQ(added["l1_cache_miss"], kSteps);
  EXPECT_EQ(added["l2_cache_miss"], 0);
  EXPECT_EQ(added["dtlb_load_miss"], 0);
}

TEST(Chase, MissesTheSecondLevelWithEachLoadBeyondItsSize) {
  Counts added = counts_of_steps(128 << 10);
  EXPECT_EQ(added["l1_cache_miss"], kSteps);
  EXPECT_EQ(added["l2_cache_miss"], kSteps);
}

// 16 of 256 random pages are in the TLB: about one load in 16 hits.
TEST(Chase, MissesTheTlbInProportionToItsReach) {
  Counts added = counts_of_steps(1 << 20);
  EXPECT_NEAR(static_cast<double>(added["dtlb_load_miss"]), kSteps * 15.0 / 16, kSteps * 0.02);
}

}  // namespace
}  // namespace hm::soft_pmu_test
