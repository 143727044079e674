// SPDX-License-Identifier: MIT
#include "analysis/occupancy/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/occupancy/names.h"

namespace hm::occupancy {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kSets = 1024, kWays = 16, kLine = 64;
constexpr uint64_t kSplitBytes = uint64_t{kSets} * kWays * kLine;

// Returns a program that misses on every access with fewer than `ways` ways, and else on one access in a
// hundred.
SizedProgram needing(const std::string& command, uint32_t ways, uint64_t cycles = 0) {
  SizedProgram program{"of-" + command, command, {kSets / 2, 2, 2 * kWays, kLine, 1000, 0, {}, cycles}};
  for (uint32_t i = 0; i < 2; ++i) {
    std::vector<uint64_t>& row = program.sizes.misses.emplace_back();
    for (uint32_t each = 1; each <= 2 * kWays; ++each) row.push_back(each * (i + 1) < 2 * ways ? 1000 : 10);
  }
  return program;
}

std::optional<Split> split_with(const std::vector<SizedProgram>& programs, uint32_t ways = kWays) {
  return find_split({"/usr/bin/web -p 80 [7]", 0.25}, {"batch [8]", 0.75}, 0.5, {kSplitBytes, ways},
                    programs);
}

TEST(SplitTest, WithoutSizesTheVictimGetsWhatItHeldElse) {
  std::optional<Split> split = split_with({});
  ASSERT_TRUE(split);
  EXPECT_EQ(split->victim_ways, 0xff00u);
  EXPECT_EQ(split->neighbour_ways, 0xffu);
  EXPECT_FALSE(split->victim);
  EXPECT_FALSE(split->neighbour);
}

TEST(SplitTest, NoneWhereThereAreNoWaysToDivide) {
  EXPECT_FALSE(split_with({}, 0));
  EXPECT_FALSE(split_with({}, 1));
}

TEST(SplitTest, TheVictimGetsWhatItNeedsWhereThatIsKnown) {
  std::optional<Split> split = split_with({needing("/usr/bin/web -p 80", 6)});
  ASSERT_TRUE(split);
  EXPECT_EQ(split->victim_ways, 0xfc00u);
  ASSERT_TRUE(split->victim);
  EXPECT_DOUBLE_EQ(split->victim->crowded_low, 1000);
  EXPECT_DOUBLE_EQ(split->victim->crowded_high, 1000);
  EXPECT_DOUBLE_EQ(split->victim->divided, 10);
  EXPECT_FALSE(split->neighbour);
}

TEST(SplitTest, OneWayIsLeftForTheNeighbour) {
  EXPECT_EQ(split_with({needing("web", kWays)})->victim_ways, 0x8000u) << "no size that it can have helps it";
  EXPECT_EQ(split_with({needing("web", kWays - 1)})->victim_ways, 0xfffeu);
}

TEST(SplitTest, TheNeighboursNeedCountsWhereBothAreKnown) {
  std::optional<Split> split = split_with({needing("web", 6), needing("batch", 9)});
  ASSERT_TRUE(split);
  EXPECT_EQ(split->neighbour_ways, 0x1ffu) << "what is left over is the victim's";
  EXPECT_DOUBLE_EQ(split->victim->divided, 10);
  EXPECT_DOUBLE_EQ(split->neighbour->divided, 10);
}

TEST(SplitTest, WhoAccessesMoreOftenCountsForMore) {
  EXPECT_EQ(split_with({needing("web", 12, 1000), needing("batch", 12, 2000)})->victim_ways, 0xfffeu);
  EXPECT_EQ(split_with({needing("web", 12, 2000), needing("batch", 12, 1000)})->neighbour_ways & 0xfffu,
            0xfffu);
}

TEST(SplitTest, AShareBetweenTwoWaysMissesBetweenWhatTheseMiss) {
  std::optional<Split> split = find_split({"web [7]", 5.5 / kWays}, {"batch [8]", 0.5}, 0.5,
                                          {kSplitBytes, kWays}, {needing("web", 6)});
  ASSERT_TRUE(split && split->victim);
  EXPECT_DOUBLE_EQ(split->victim->crowded_low, 10);
  EXPECT_DOUBLE_EQ(split->victim->crowded_high, 1000);
}

TEST(SplitTest, TheSameCommandComesBeforeTheSameProgram) {
  std::optional<Split> split = split_with({needing("web -p 81", 3), needing("/usr/bin/web -p 80", 6)});
  EXPECT_EQ(split->victim_ways, 0xfc00u);
}

class CheckProgramsTest : public ::testing::Test {
 protected:
  CheckProgramsTest() {
    profile.features.caches = {{3, kLine, kSets, kWays, "Unified", "1024K", "0"}};
    profile.occupancy.push_back({"web -p 80 [7]", 7, true, kSplitBytes, {}});
  }
  profile::Profile profile;
};

TEST_F(CheckProgramsTest, WhatWasMeasuredAndIsLargeEnoughPasses) {
  EXPECT_TRUE(check_programs(profile, kSplitBytes, {needing("web -p 81", 6)}).ok());
}

TEST_F(CheckProgramsTest, SaysWhatWasNotMeasured) {
  Status status = check_programs(profile, kSplitBytes, {needing("mail", 6)});
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message, HasSubstr("`mail`"));
}

TEST_F(CheckProgramsTest, SaysHowToRecordTheSizeOfThisCache) {
  SizedProgram small = needing("web", 6);
  small.sizes.ways = 8;
  Status status = check_programs(profile, kSplitBytes, {small});
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message, HasSubstr("--sizes=1024-1024,16"));
}

TEST(OccupancyNamesTest, AreShortWithoutFolderAndArguments) {
  EXPECT_EQ(short_name_of("/usr/bin/web -p 80 [4711]"), "web [4711]");
  EXPECT_EQ(short_name_of("web"), "web");
  EXPECT_EQ(short_name_of("odd [name]"), "odd");
  EXPECT_EQ(command_of("odd [name]"), "odd [name]");
  EXPECT_EQ(command_of("a [1] [2]"), "a [1]");
  EXPECT_EQ(short_name_of(""), "");
}

}  // namespace
}  // namespace hm::occupancy
