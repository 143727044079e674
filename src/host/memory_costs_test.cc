// SPDX-License-Identifier: MIT
#include "host/memory_costs.h"

#include <gtest/gtest.h>

#include "host/synthetic_machine.h"

namespace hm::host {
namespace {

const SyntheticMachine kMachine{{{1, 32 * kKiB}, {4, 1 * kMiB}, {13, 16 * kMiB}}, 100};
const std::vector<HostCache> kTold{{1, "Data", 64, 8, 64},
                                   {1, "Instruction", 64, 8, 64},
                                   {2, "Unified", 2048, 8, 64},
                                   {3, "Unified", 16384, 16, 64}};

Sweep sweep_of(const SyntheticMachine& machine, uint64_t largest_bytes, double huge_share = 1) {
  SyntheticMachine walking = machine;
  walking.tlb_reach_bytes = 8 * kMiB;
  walking.walk_ns = 50;
  Sweep sweep;
  sweep.small_pages = curve_of(walking, largest_bytes);
  sweep.huge_pages = curve_of(machine, largest_bytes);
  sweep.huge_share = huge_share;
  return sweep;
}

std::vector<std::string> names_of(const MemoryCosts& costs) {
  std::vector<std::string> names;
  for (const LevelCost& cost : costs.levels) names.push_back(cost.name + (cost.found ? "" : " not found"));
  return names;
}

using Names = std::vector<std::string>;

TEST(MemoryCosts, PutWhatIsFoundBesideWhatIsTold) {
  MemoryCosts costs = memory_costs(sweep_of(kMachine, 64 << 20), kTold, false);
  ASSERT_EQ(names_of(costs), (Names{"L1", "L2", "L3", "memory"}));
  EXPECT_EQ(costs.levels[0].reported_bytes, 32 << 10);
  EXPECT_EQ(costs.levels[2].reported_bytes, 16 << 20);
  EXPECT_FALSE(costs.levels[3].reported_bytes);
  EXPECT_NEAR(costs.levels[1].small_ns->value, 4, 0.5);
  EXPECT_NEAR(costs.levels[3].huge_ns->value, 100, 3);
  EXPECT_GT(costs.levels[3].small_ns->value, 140);
  ASSERT_TRUE(costs.small_pages_suffice_to_bytes);
  EXPECT_LT(static_cast<double>(*costs.small_pages_suffice_to_bytes), 8 * kMiB);
  EXPECT_EQ(costs.core_ghz->value, 3);
  EXPECT_EQ(costs.unsteady_points, 0);
}

TEST(MemoryCosts, WithoutHugePagesComeFromSmallOnes) {
  MemoryCosts costs = memory_costs(sweep_of(kMachine, 64 << 20, 0.5), kTold, false);
  EXPECT_FALSE(costs.huge_pages);
  EXPECT_FALSE(costs.small_pages_suffice_to_bytes);
  for (const LevelCost& cost : costs.levels) EXPECT_FALSE(cost.huge_ns) << cost.name;
  EXPECT_NEAR(costs.levels.back().found->ns.value, 150, 5);
}

// It is unknown which level causes the mixture at the plateau's end.
TEST(MemoryCosts, ALevelThatDoesNotShowLeavesTheOneBeforeWithoutASize) {
  SyntheticMachine two_levels = kMachine;
  two_levels.caches.pop_back();
  MemoryCosts costs = memory_costs(sweep_of(two_levels, 64 << 20), kTold, true);
  ASSERT_EQ(names_of(costs), (Names{"L1", "L2", "L3 not found", "memory"}));
  EXPECT_TRUE(costs.levels[0].found->capacity_bytes);
  EXPECT_FALSE(costs.levels[1].found->capacity_bytes);
  EXPECT_EQ(costs.levels[2].reported_bytes, 16 << 20);
}

TEST(MemoryCosts, TheLastLevelIsMemoryOnlyBeyondTheCaches) {
  EXPECT_EQ(names_of(memory_costs(sweep_of(kMachine, 512 << 10), kTold, false)),
            (Names{"L1", "L2", "L3 not found"}));
  EXPECT_EQ(names_of(memory_costs(sweep_of(kMachine, 8 << 20), kTold, false)), (Names{"L1", "L2", "L3"}));
}

TEST(MemoryCosts, ASystemThatTellsNothingLeavesItToTheCurve) {
  EXPECT_EQ(names_of(memory_costs(sweep_of(kMachine, 64 << 20), {}, false)),
            (Names{"L1", "L2", "L3", "memory"}));
}

TEST(MemoryCosts, OfNothingAreNone) {
  MemoryCosts costs = memory_costs({}, kTold, false);
  EXPECT_EQ(names_of(costs), (Names{"L1 not found", "L2 not found", "L3 not found"}));
  EXPECT_FALSE(costs.core_ghz);
}

TEST(MemoryCosts, CountUnsteadyPointsOfBothCurves) {
  Sweep sweep = sweep_of(kMachine, 64 << 20);
  sweep.small_pages[3].ns.high *= 2;
  sweep.huge_pages[4].ns.low /= 2;
  EXPECT_EQ(memory_costs(std::move(sweep), kTold, false).unsteady_points, 2);
}

}  // namespace
}  // namespace hm::host
