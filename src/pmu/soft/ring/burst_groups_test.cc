// SPDX-License-Identifier: MIT
#include "pmu/soft/ring/burst_groups.h"

#include <gtest/gtest.h>

#include <memory>

namespace hm::soft {
namespace {

constexpr uint64_t kSlots = 10;

std::unique_ptr<BurstGroups> after(uint64_t bursts) {
  auto groups = std::make_unique<BurstGroups>();
  for (uint64_t i = 0; i < bursts; ++i) groups->add(1000 + i, {kSlots, i, {2 * i}});
  return groups;
}

TEST(BurstGroups, AreOneForEachBurstWhileThereIsRoom) {
  EXPECT_EQ(after(0)->count(), 0u);
  auto groups = after(BurstGroups::kMost);
  ASSERT_EQ(groups->count(), BurstGroups::kMost);
  for (uint32_t i = 0; i < BurstGroups::kMost; ++i) {
    EXPECT_EQ(groups->at(i).begin_ns, 1000 + i);
    EXPECT_EQ(groups->at(i).bursts, 1u);
    EXPECT_EQ(groups->at(i).counted.slots, kSlots);
    EXPECT_EQ(groups->at(i).counted.cycles, i);
    EXPECT_EQ(groups->at(i).counted.events[0], 2 * i);
  }
}

TEST(BurstGroups, HaveMoreBurstsLater) {
  constexpr uint64_t kFull = BurstGroups::kMost;
  for (uint64_t bursts : {kFull + 1, 2 * kFull, 2 * kFull + 1, 10 * kFull + 7}) {
    auto groups = after(bursts);
    EXPECT_LE(groups->count(), kFull);
    EXPECT_GT(groups->count(), kFull / 2);
    EXPECT_EQ(groups->bursts(), bursts);
    BurstGroup sum{};
    for (uint32_t i = 0; i < groups->count(); ++i) {
      BurstGroup group = groups->at(i);
      EXPECT_EQ(group.begin_ns, 1000 + sum.bursts) << bursts << " " << i;
      EXPECT_TRUE(group.bursts == groups->at(0).bursts || i + 1 == groups->count()) << bursts << " " << i;
      sum.add(group);
    }
    EXPECT_EQ(sum.bursts, bursts);
    EXPECT_EQ(sum.counted.slots, bursts * kSlots);
    EXPECT_EQ(sum.counted.cycles, bursts * (bursts - 1) / 2);
    EXPECT_EQ(sum.counted.events[0], bursts * (bursts - 1));
  }
}

}  // namespace
}  // namespace hm::soft
