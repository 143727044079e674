// SPDX-License-Identifier: MIT
#include "analysis/timeline/ways.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace hm::timeline {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

struct Stretch {
  double share;
  uint16_t cycles;
  double dwell;
};

std::vector<double> divided(Way way, std::span<const Stretch> stretches) {
  std::vector<double> parts;
  std::vector<uint16_t> cycles;
  for (const Stretch& each : stretches) {
    parts.push_back(weight_of(way) == Weight::kShare ? each.share : each.dwell);
    cycles.push_back(each.cycles);
  }
  divide(way, cycles, parts);
  return parts;
}

// The paper's figure 8: F1, F2 and F3 called in turn, with 10, 30 and 10 % of all samples; F3 is sampled.
const std::vector<Stretch> kFigure8{{0.1, 0, 0}, {0.3, 0, 0}, {0.1, 0, 0}};

TEST(Ways, AreThoseOfThePapersExample) {
  EXPECT_THAT(divided(Way::kNone, kFigure8), ElementsAre(0, 0, 1));
  EXPECT_THAT(divided(Way::kEven, kFigure8),
              ElementsAre(DoubleEq(1.0 / 3), DoubleEq(1.0 / 3), DoubleEq(1.0 / 3)));
  EXPECT_THAT(divided(Way::kShare, kFigure8), ElementsAre(DoubleEq(0.1), DoubleEq(0.3), DoubleEq(0.6)));
  EXPECT_THAT(divided(Way::kRatio, kFigure8), ElementsAre(DoubleEq(0.2), DoubleEq(0.6), DoubleEq(0.2)));
}

// Table 2 of the paper: p1_f1, p1_f2 and p1_f3 with shares of 0.32, 0.32 and 0.33, called by p1_A and p1,
// with shares of almost 0.
TEST(Ways, InRatioShowWhatRunsLong) {
  std::vector<Stretch> calls{{0.32, 0, 0}, {0.0006, 0, 0}, {0.32, 0, 0}, {0.0006, 0, 0}, {0.33, 0, 0}};
  std::vector<double> parts = divided(Way::kRatio, calls);
  EXPECT_NEAR(parts[0], 1.0 / 3, 0.01);
  EXPECT_NEAR(parts[1], 0, 0.001);
  EXPECT_NEAR(parts[4], 1.0 / 3, 0.01);
  EXPECT_NEAR(divided(Way::kShare, calls)[4], 0.36, 0.01) << "the sampled function gets the rest";
}

TEST(Ways, SharesOfMoreThanAllAreScaled) {
  EXPECT_THAT(divided(Way::kShare, std::vector<Stretch>{{0.8, 0, 0}, {0.8, 0, 0}, {0.1, 0, 0}}),
              ElementsAre(0.5, 0.5, 0));
}

// One function is called nine times as often as another, and both run equally long in total.
TEST(Ways, ByDwellDoNotCountOftenAsLong) {
  std::vector<Stretch> stretches(10, {0.5, 0, 0.1});
  stretches.back() = {0.5, 0, 0.9};
  EXPECT_NEAR(divided(Way::kDwell, stretches).back(), 0.5, 1e-9);
  EXPECT_NEAR(divided(Way::kRatio, stretches).back(), 0.1, 1e-9);
}

TEST(Ways, CyclesAreTheTimesWhereTheyWereCounted) {
  std::vector<Stretch> counted{{0.1, 30, 0}, {0.3, 10, 0}, {0.1, 0, 0}};
  EXPECT_THAT(divided(Way::kCycles, counted), ElementsAre(0.5, DoubleEq(1.0 / 6), DoubleEq(1.0 / 3)))
      << "the sample's own are not known: the mean of the others";
  EXPECT_EQ(divided(Way::kCycles, kFigure8), divided(Way::kDwell, kFigure8)) << "no cycles were counted";
}

TEST(Ways, OfASampleWithoutBranchesGiveItAll) {
  for (Way way : kAllWays)
    EXPECT_THAT(divided(way, std::vector<Stretch>{{0, 0, 0}}), ElementsAre(1)) << name_of(way);
}

TEST(Ways, AddUpToOne) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    std::vector<Stretch> stretches(1 + random() % 33);
    for (Stretch& each : stretches)
      each = {static_cast<double>(random() % 3) / 10, static_cast<uint16_t>(random() % 3 * 99),
              static_cast<double>(random() % 3)};
    for (Way way : kAllWays) {
      std::vector<double> parts = divided(way, stretches);
      EXPECT_EQ(parts.size(), stretches.size());
      EXPECT_NEAR(std::accumulate(parts.begin(), parts.end(), 0.0), 1, 1e-9) << name_of(way);
      for (double part : parts) EXPECT_GE(part, 0);
    }
  }
}

TEST(Ways, HaveNames) {
  for (Way way : kAllWays) EXPECT_EQ(way_named(name_of(way)), way);
  EXPECT_EQ(way_named("best"), std::nullopt);
}

}  // namespace
}  // namespace hm::timeline
