// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/burst_list.h"

#include <gtest/gtest.h>

#include <memory>

namespace hm::soft {
namespace {

using Begins = std::vector<uint64_t>;

BurstGroup burst(uint64_t begin_ns, uint64_t slots) { return {begin_ns, 1, {slots, 0, {}}}; }

BurstList list_of(const std::vector<BurstGroup>& bursts) {
  BurstList list;
  for (const BurstGroup& each : bursts) list.add(each);
  return list;
}

TEST(BurstList, OfNoBurstsIsEmpty) {
  EXPECT_EQ(BurstList().begins_of_parts(4), Begins{});
  EXPECT_EQ(BurstList().bursts(), 0u);
}

TEST(BurstList, HasAPartForEachBurstIfThereAreFew) {
  EXPECT_EQ(list_of({burst(30, 10), burst(40, 10), burst(70, 10)}).begins_of_parts(64), (Begins{30, 40, 70}));
}

TEST(BurstList, HasPartsWithEqualNumbersOfSlots) {
  BurstList list;
  for (uint64_t i = 0; i < 8; ++i) list.add(burst(i, 10));
  for (uint64_t i = 8; i < 12; ++i) list.add(burst(i, 80));  // bursts become longer
  EXPECT_EQ(list.begins_of_parts(5), (Begins{0, 8, 9, 10, 11}));
}

TEST(BurstList, OfTwoProcessesIsInOrder) {
  auto first = std::make_unique<BurstGroups>(), second = std::make_unique<BurstGroups>();
  for (uint64_t i = 0; i < 100; ++i) (i % 2 == 0 ? first : second)->add(i, {10, 0, {}});
  BurstList list;
  list.add(*second);
  list.add(*first);
  EXPECT_EQ(list.begins_of_parts(4), (Begins{0, 25, 50, 75}));
  EXPECT_EQ(list.in_order()[51].begin_ns, 51u);
}

TEST(BurstList, OfManyProcessesIsBounded) {
  BurstList list;
  for (uint64_t i = 0; i < 12'000; ++i) list.add(burst(1000 * (i / 4) + i % 4, 10));
  EXPECT_EQ(list.bursts(), 12'000u);
  EXPECT_LT(list.in_order().size(), 5000u);
  Begins found = list.begins_of_parts(30);
  ASSERT_EQ(found.size(), 30u);
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(static_cast<double>(found[i]), 100'000.0 * static_cast<double>(i), 5000) << i;
}

TEST(BurstList, AnEpisodeIsOneObservation) {
  auto episode = std::make_unique<BurstGroups>();
  BurstList list;
  list.add_as_one(*episode);
  EXPECT_EQ(list.bursts(), 0u) << "it had no burst";
  for (uint64_t i = 0; i < 3; ++i) episode->add(100 + i, {10, 20, {5}});
  list.add_as_one(*episode);
  ASSERT_EQ(list.bursts(), 1u);
  BurstGroup one = list.in_order().front();
  EXPECT_EQ(one.begin_ns, 100u);
  EXPECT_EQ(one.counted.slots, 30u);
  EXPECT_EQ(one.counted.cycles, 60u);
  EXPECT_EQ(one.counted.events[0], 15u);
}

}  // namespace
}  // namespace hm::soft
