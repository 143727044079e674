// SPDX-License-Identifier: MIT
#include "analysis/fleet/fleet_causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/fleet/share.h"

namespace hm::fleet {
namespace {

// One batch, as added up by a store: the part's samples and the known samples.
struct Seen {
  double part = 0, known = 0;
};
store::PartSums sum_of(const std::vector<Seen>& batches) {
  store::PartSums sums;
  sums.parts.resize(1);
  for (auto [part, known] : batches) {
    ++sums.known.batches;
    sums.known.samples += static_cast<uint64_t>(known);
    sums.known.count += known;
    sums.known.load += known;
    sums.known.load_squares += known * known;
    sums.parts[0].samples += static_cast<uint64_t>(part);
    sums.parts[0].count += part;
    sums.parts[0].count_squares += part * part;
    sums.parts[0].products += part * known;
  }
  return sums;
}

// The share is 1/4 in each batch, so only the sampling error of 200 samples remains; t(3) = 3.182.
TEST(FleetShare, IsAsUncertainAsItsSamplesWhereBatchesAgree) {
  store::PartSums sums = sum_of({{10, 40}, {10, 40}, {15, 60}, {15, 60}});
  std::optional<Rate> share = share_of(sums.parts[0], sums.known);
  ASSERT_TRUE(share && share->limits);
  EXPECT_DOUBLE_EQ(share->value, 0.25);
  double z2 = 3.182 * 3.182, m = 200, middle = (0.25 + z2 / 2 / m) / (1 + z2 / m);
  double half = 3.182 / (1 + z2 / m) * std::sqrt(0.25 * 0.75 / m + z2 / 4 / m / m);
  EXPECT_NEAR(share->limits->low, middle - half, 1e-9);
  EXPECT_NEAR(share->limits->high, middle + half, 1e-9);
}

// The shares are 0 and 1/2: the variance is 4/3 * 4 * (0.25 * 50)^2 / 200^2 = 1/48, as for 9 samples.
TEST(FleetShare, IsMoreUncertainWhereBatchesDiffer) {
  store::PartSums sums = sum_of({{0, 50}, {25, 50}, {0, 50}, {25, 50}});
  std::optional<Rate> share = share_of(sums.parts[0], sums.known);
  ASSERT_TRUE(share && share->limits);
  double z2 = 3.182 * 3.182, m = 9, middle = (0.25 + z2 / 2 / m) / (1 + z2 / m);
  double half = 3.182 / (1 + z2 / m) * std::sqrt(0.25 * 0.75 / m + z2 / 4 / m / m);
  EXPECT_NEAR(share->limits->low, middle - half, 1e-9);
  EXPECT_NEAR(share->limits->high, middle + half, 1e-9);
}

TEST(FleetShare, OfAllOfNoneAndOfNothing) {
  store::PartSums all = sum_of({{50, 50}, {30, 30}});
  std::optional<Rate> share = share_of(all.parts[0], all.known);
  ASSERT_TRUE(share && share->limits);
  EXPECT_DOUBLE_EQ(share->value, 1);
  EXPECT_LT(share->limits->low, 1);
  EXPECT_NEAR(share->limits->high, 1, 1e-9);
  store::PartSums none = sum_of({{0, 50}, {0, 30}});
  share = share_of(none.parts[0], none.known);
  ASSERT_TRUE(share && share->limits);
  EXPECT_NEAR(share->limits->low, 0, 1e-9);
  EXPECT_GT(share->limits->high, 0);
  EXPECT_FALSE(share_of({}, {}));
  store::PartSums one = sum_of({{5, 10}});
  EXPECT_FALSE(share_of(one.parts[0], one.known)->limits);
}

CausePlace place_with(const std::vector<std::pair<std::string, double>>& classes) {
  CausePlace place;
  for (const auto& [name, share] : classes)
    place.classes.push_back({name, static_cast<uint64_t>(100 * share), {share, std::nullopt}});
  return place;
}

TEST(FleetAdvice, GoesByClasses) {
  std::optional<cause::Advice> advice =
      advice_on("l1_cache_miss", place_with({{"conflict", 0.7}, {"capacity", 0.3}}));
  ASSERT_TRUE(advice && advice->gain);
  EXPECT_EQ(advice->pattern, cause::Pattern::kPowerOfTwoStride);
  EXPECT_DOUBLE_EQ(advice->gain->high, 0.7);
  advice = advice_on("l2_cache_miss", place_with({{"false sharing", 0.8}, {"capacity", 0.2}}));
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->pattern, cause::Pattern::kFalseSharing);
  advice = advice_on("l3_cache_miss", place_with({{"compulsory", 0.9}, {"capacity", 0.1}}));
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->pattern, cause::Pattern::kColdScan);
  EXPECT_FALSE(advice->gain) << "nothing measured says how much";
}

TEST(FleetAdvice, IsNotGivenWithoutClasses) {
  EXPECT_FALSE(advice_on("l1_cache_miss", place_with({})));
  EXPECT_FALSE(advice_on("l1_cache_miss", place_with({{"capacity", 0.09}})));
  EXPECT_FALSE(advice_on("dtlb_load_miss", place_with({})));
}

TEST(FleetCauses, KnowWhichEventsHaveClasses) {
  EXPECT_TRUE(has_classes("l1_cache_miss"));
  EXPECT_TRUE(has_classes("l3_cache_miss"));
  EXPECT_FALSE(has_classes("clock"));
  EXPECT_FALSE(has_classes("dtlb_load_miss"));
  EXPECT_EQ(class_names().size(), 8u);
}

TEST(FleetCauses, LeaveOutPartsThatAreNothing) {
  store::PartSums sums = sum_of({{10, 40}, {10, 40}});
  sums.parts.push_back({});
  std::vector<PartShare> shares = shares_of(sums, {"a", "b"}, 3);
  ASSERT_EQ(shares.size(), 1u);
  EXPECT_EQ(shares[0].name, "a");
  EXPECT_DOUBLE_EQ(shares[0].share.value, 0.25);
}

}  // namespace
}  // namespace hm::fleet
