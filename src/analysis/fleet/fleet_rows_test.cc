// SPDX-License-Identifier: MIT
#include "analysis/fleet/fleet_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::fleet {
namespace {

using ::testing::HasSubstr;

// Returns the sums of ten batches with a load of 1000 each.
store::Group group(std::vector<std::string> keys, uint64_t samples_each) {
  store::Group group;
  group.keys = std::move(keys);
  double count = 10 * static_cast<double>(samples_each);
  group.samples = 10 * samples_each;
  group.batches = 10;
  group.count = 10 * count;
  group.load = 10'000;
  group.count_squares = 10 * count * count;
  group.load_squares = 10 * 1e6;
  group.products = 10 * count * 1000;
  return group;
}

TEST(Fleet, RowsAreByCount) {
  std::vector<Row> rows = rank({group({"a"}, 5), group({"b"}, 20)}, group({}, 25));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].keys.front(), "b");
  EXPECT_DOUBLE_EQ(rows[0].share, 0.8);
  ASSERT_TRUE(rows[0].rate);
  EXPECT_DOUBLE_EQ(rows[0].rate->value, 2000. / 10'000);
}

TEST(Fleet, WhatHasALoadOfItsOwnIsComparedWithThat) {
  store::Group idle = group({"idle"}, 10), busy = group({"busy"}, 10);
  busy.load *= 4;
  std::vector<Row> rows =
      rank({group({"f", "idle"}, 5), group({"f", "busy"}, 5)}, group({}, 20), {1}, {idle, busy});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_DOUBLE_EQ(rows[0].rate->value, 4 * rows[1].rate->value);
  EXPECT_DOUBLE_EQ(rows[0].share, 0.25);
}

TEST(Fleet, OfTheClockARateOfOneIsNotTold) {
  store::Group clock = group({"s"}, 5);
  clock.count = clock.load;
  EXPECT_FALSE(rank({clock}, clock, {0}, {clock}).front().rate);
  EXPECT_TRUE(rank({group({"s"}, 5)}, clock, {0}, {clock}).front().rate);
}

TEST(Fleet, WhatGotWorseComesFirst) {
  Result<Comparison> found =
      compare({group({"same"}, 50), group({"better"}, 80), group({"gone"}, 40)}, group({}, 170),
              {group({"same"}, 51), group({"worse"}, 60), group({"better"}, 20)}, group({}, 131));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->rows.size(), 4u);
  EXPECT_EQ(found->rows[0].keys.front(), "worse");
  EXPECT_TRUE(found->rows[0].is_significant());
  EXPECT_EQ(found->rows[0].samples_before, 0u);
  EXPECT_EQ(found->rows[3].keys.front(), "same");
  EXPECT_FALSE(found->rows[3].is_significant());
}

TEST(Fleet, SidesWithoutALoadAreNotCompared) {
  Result<Comparison> found = compare({}, {}, {}, group({}, 1));
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("the build before has no measurement"));
}

}  // namespace
}  // namespace hm::fleet
