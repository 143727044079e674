// SPDX-License-Identifier: MIT
#include "base/sum_error.h"

#include <gtest/gtest.h>

#include <vector>

namespace hm {
namespace {

SumError random_error(const std::vector<double>& deviations) {
  return sum_error(deviations, Selection::kRandom);
}
SumError spread_error(const std::vector<double>& deviations) {
  return sum_error(deviations, Selection::kEvenlySpread);
}

TEST(SumErrorTest, OfOneClusterIsNotKnown) {
  EXPECT_EQ(random_error({1}).variance, 0);
  EXPECT_EQ(random_error({1}).degrees, 1);
}

TEST(SumErrorTest, OfARandomSelectionIsThatOfAMean) {
  // The sample variance is 4 / 3, and the sum's four times that.
  SumError error = random_error({-1, 1, -1, 1});
  EXPECT_NEAR(error.variance, 16.0 / 3, 1e-9);
  EXPECT_EQ(error.degrees, 3);
}

TEST(SumErrorTest, SlowChangesAreNoErrorOfAnEvenlySpreadSelection) {
  std::vector<double> rising;
  for (int i = -50; i <= 50; ++i) rising.push_back(i);
  EXPECT_LT(spread_error(rising).variance, random_error(rising).variance / 1000);
}

TEST(SumErrorTest, HasAsManyDegreesOfFreedomAsClustersWithMostOfTheDeviations) {
  std::vector<double> deviations(300, 0.01);
  for (size_t i = 10; i < 300; i += 60) deviations[i] = 100;
  EXPECT_NEAR(random_error(deviations).degrees, 2 * 5, 0.1);
  EXPECT_NEAR(spread_error(deviations).degrees, 2 * 10 / 1.5, 0.1);
}

}  // namespace
}  // namespace hm
