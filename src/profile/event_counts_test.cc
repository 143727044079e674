// SPDX-License-Identifier: MIT
#include "profile/event_counts.h"

#include <gtest/gtest.h>

namespace hm::profile {
namespace {

EventCount count_of(uint64_t samples, uint64_t period) {
  EventCount count;
  for (uint64_t i = 0; i < samples; ++i) count.add(period);
  return count;
}

// 10 of 100: Wilson's interval is 5.52 % to 17.44 % (the usual worked example).
TEST(Share, IsWilsonsInterval) {
  EventTotals totals(1);
  for (int i = 0; i < 100; ++i) totals.add(0, 1000);
  Share share = *totals.share(0, count_of(10, 1000));
  EXPECT_DOUBLE_EQ(share.value, 0.1);
  EXPECT_NEAR(share.low, 0.0552, 1e-4);
  EXPECT_NEAR(share.high, 0.1744, 1e-4);
}

TEST(Share, StaysBetweenNoneAndAll) {
  EventTotals totals(1);
  for (int i = 0; i < 4; ++i) totals.add(0, 1);
  EXPECT_EQ(totals.share(0, EventCount())->low, 0.0);
  EXPECT_EQ(totals.share(0, count_of(4, 1))->high, 1.0);
  EXPECT_LT(totals.share(0, count_of(4, 1))->low, 0.6);
}

TEST(Share, UnequalPeriodsSayLess) {
  EventTotals equal(1), unequal(1);
  for (int i = 0; i < 100; ++i) {
    equal.add(0, 10);
    unequal.add(0, i == 0 ? 901 : 1);
  }
  EXPECT_EQ(equal.counts()[0].weight(), unequal.counts()[0].weight());
  Share narrow = *equal.share(0, count_of(50, 10));
  Share wide = *unequal.share(0, count_of(1, 500));
  EXPECT_DOUBLE_EQ(narrow.value, wide.value);
  EXPECT_GT(wide.high - wide.low, 2 * (narrow.high - narrow.low));
}

TEST(Share, SamplesOfABurstAreAlike) {
  Profile profile;
  profile.events = {{"told", {}}, {"not_told", {}}};
  for (uint32_t i = 0; i < 2000; ++i) {
    profile.samples.period.set(i, 10);
    profile.samples.event.push_back(i % 2);
  }
  EXPECT_DOUBLE_EQ(EventTotals(profile).effective_samples(0), 1000);
  profile.features.hardmeter = R"({"bursts": {"relative_error": {"told": 0.1959964, "not_told": null}}})";
  EXPECT_NEAR(EventTotals(profile).effective_samples(0), 100, 0.01) << "as many as have this error";
  EXPECT_NEAR(EventTotals(profile).effective_samples(1), 1, 0.01);
  profile.features.hardmeter = R"({"bursts": {"relative_error": {"told": 1e-9, "not_told": 3}}})";
  EXPECT_DOUBLE_EQ(EventTotals(profile).effective_samples(0), 1000) << "but no more than there are";
}

TEST(Share, OfNothingIsNotMeasured) { EXPECT_EQ(EventTotals(1).share(0, EventCount()), std::nullopt); }

TEST(EventCount, OneUnknownPeriodMakesTheSumUnknown) {
  EventCount count = count_of(2, 5);
  EXPECT_EQ(count.estimated, 10u);
  count.add(std::nullopt);
  EXPECT_EQ(count.estimated, std::nullopt);
  EXPECT_EQ(count.weight(), 3u);
}

}  // namespace
}  // namespace hm::profile
