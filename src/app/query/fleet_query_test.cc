// SPDX-License-Identifier: MIT
#include "app/query/fleet_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "store/example_fleet.h"
#include "store/open_store.h"

namespace hm::query {
namespace {

using ::testing::ElementsAre;

class FleetQuery : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    store_ = *store::open_store(*store::parse_address(folder_->file("store")), {});
    ASSERT_TRUE(store_->init());
    for (const store::Batch& batch : testing::example_fleet()) ASSERT_TRUE(store_->insert(batch));
  }
  static void TearDownTestSuite() {
    store_.reset();
    folder_.reset();
  }

  static fleet::Table report(const store::Selection& selection, const std::string& sort) {
    Result<fleet::Table> table = fleet_report(*store_, {selection, sort, 0});
    EXPECT_TRUE(table) << table.error().message;
    return table ? *table : fleet::Table();
  }
  static fleet::OverTime over_time(const store::Selection& selection, uint64_t most = 200) {
    Result<fleet::OverTime> found = fleet_over_time(*store_, selection, most);
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : fleet::OverTime();
  }

  static inline std::unique_ptr<TemporaryFolder> folder_;
  static inline std::unique_ptr<store::Store> store_;
  const store::Selection shop{.service = "shop.service"};
  const store::Selection line{
      .service = "shop.service", .module = "program", .function = "look_up", .file = "cart.cc", .line = 88};
};

TEST_F(FleetQuery, ServicesComeByTheirEvents) {
  fleet::Table table = report({}, "function");
  EXPECT_EQ(table.event, "l3_cache_miss");
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_THAT(table.rows[0].keys, ElementsAre("shop.service"));
  EXPECT_EQ(table.first_s, testing::kFleetBegin);
}

TEST_F(FleetQuery, APlaceHasItsShareOfTheService) {
  fleet::Table all = report(shop, "line");
  EXPECT_EQ(all.rows.front().keys[1], "88");
  fleet::Table place = report(line, "class");
  ASSERT_EQ(place.rows.size(), 1u);
  EXPECT_THAT(place.rows[0].keys, ElementsAre("capacity"));
  EXPECT_DOUBLE_EQ(place.rows[0].share, all.rows[0].share);
}

TEST_F(FleetQuery, AReleaseIsMeasuredByItsOwnLoad) {
  for (const store::Selection& selection : {shop, line}) {
    fleet::Table table = report(selection, "release");
    ASSERT_EQ(table.rows.size(), 2u);
    const fleet::Row &after = table.rows[table.rows[0].keys[0] == "bb22" ? 0 : 1],
                     &before = table.rows[table.rows[0].keys[0] == "bb22" ? 1 : 0];
    EXPECT_GT(after.rate->value, 2 * before.rate->value);
    EXPECT_EQ(after.first_s, testing::kFleetStep);
  }
}

TEST_F(FleetQuery, OverTimeTheGapIsNoZeroAndTheStepIsFound) {
  for (const store::Selection& selection : {shop, line}) {
    fleet::OverTime found = over_time(selection);
    EXPECT_LE(found.moments.size(), 200u);
    for (const fleet::Moment& each : found.moments) {
      EXPECT_TRUE(each.begin_s + found.bucket_s <= testing::kFleetGapBegin ||
                  each.begin_s >= testing::kFleetGapEnd);
      ASSERT_TRUE(each.rate);
      EXPECT_GT(each.rate->value, 0);
    }
    EXPECT_TRUE(found.can_detect_steps);
    ASSERT_TRUE(found.step);
    EXPECT_EQ(found.step->at_s, testing::kFleetStep);
  }
  EXPECT_FALSE(over_time({.service = "mail.service"}).step);
}

TEST_F(FleetQuery, OverTimeOfWhatWasNotMeasuredIsAnError) {
  Result<fleet::OverTime> none = fleet_over_time(*store_, {.service = "nobody"}, 200);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
}

TEST_F(FleetQuery, TellsWhatCanBeChosen) {
  Result<fleet::Choices> all = fleet_choices(*store_, shop);
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->event, "l3_cache_miss");
  EXPECT_EQ(all->events.size(), 2u);
  EXPECT_EQ(all->services.size(), 3u);
  EXPECT_EQ(all->hosts.size(), 2u);
  EXPECT_EQ(all->releases.size(), 2u);
  EXPECT_EQ(all->first_s, testing::kFleetBegin);
  Result<fleet::Choices> none = fleet_choices(*store_, {.to_s = 1});
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_TRUE(none->events.empty());
  EXPECT_FALSE(none->first_s);
}

}  // namespace
}  // namespace hm::query
