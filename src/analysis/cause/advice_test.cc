// SPDX-License-Identifier: MIT
#include "analysis/cause/advice.h"

#include <gtest/gtest.h>

namespace hm::cause {
namespace {

Evidence conflicts(double share, Shape shape) {
  return {.event = "l1_cache_miss",
          .capacity = 1 - share,
          .conflict = share,
          .walk = {shape, 4096, 1},
          .access_bytes = 8};
}

TEST(Advice, ConflictsArePaddedAway) {
  std::optional<Advice> advice = advise(conflicts(0.9, Shape::kStrided));
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->pattern, Pattern::kPowerOfTwoStride);
  ASSERT_TRUE(advice->gain);
  EXPECT_DOUBLE_EQ(advice->gain->low, 0.9);
  EXPECT_DOUBLE_EQ(advice->gain->high, 0.9);
}

TEST(Advice, AStrideForCapacityIsAColumnWalk) {
  std::optional<Advice> advice = advise(conflicts(0.1, Shape::kStrided));
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->pattern, Pattern::kColumnWalk);
  ASSERT_TRUE(advice->gain);
  EXPECT_DOUBLE_EQ(advice->gain->high, 7.0 / 8);
}

TEST(Advice, ASequentialWalkIsColdOrTooLarge) {
  Evidence cold{
      .event = "l1_cache_miss", .compulsory = 0.95, .capacity = 0.05, .walk = {Shape::kSequential, 64, 1}};
  EXPECT_EQ(advise(cold)->pattern, Pattern::kColdScan);
  EXPECT_FALSE(advise(cold)->gain);
  Evidence again{
      .event = "l2_cache_miss", .compulsory = 0.05, .capacity = 0.95, .walk = {Shape::kSequential, 64, 1}};
  EXPECT_EQ(advise(again)->pattern, Pattern::kWorkingSetTooLarge);
  EXPECT_DOUBLE_EQ(advise(again)->gain->low, 0);
  EXPECT_DOUBLE_EQ(advise(again)->gain->high, 0.95);
}

TEST(Advice, ListsAndTables) {
  Evidence list{.event = "l1_cache_miss", .capacity = 1, .walk = {Shape::kPointerChase, std::nullopt, 0}};
  EXPECT_EQ(advise(list)->pattern, Pattern::kPointerChase);
  Evidence table{.event = "dtlb_load_miss", .walk = {Shape::kComputed, std::nullopt, 0}};
  EXPECT_EQ(advise(table)->pattern, Pattern::kBigRandomTable);
}

TEST(Advice, NothingIsSaidWhereNothingIsKnown) {
  EXPECT_FALSE(advise({.event = "l1_cache_miss", .walk = {}}));
  EXPECT_FALSE(advise({.event = "dtlb_load_miss", .walk = {}}));
  EXPECT_FALSE(advise({.event = "clock", .conflict = 1, .walk = {}}));
}

}  // namespace
}  // namespace hm::cause
