// SPDX-License-Identifier: MIT
#include "host/estimate.h"

#include <gtest/gtest.h>

#include <numeric>

namespace hm::host {
namespace {

std::vector<double> one_to(size_t count) {
  std::vector<double> values(count);
  std::iota(values.rbegin(), values.rend(), 1);
  return values;
}

TEST(Estimate, OfFewValuesIsFromLeastToGreatest) {
  Estimate one = median_of({5});
  EXPECT_EQ(one.value, 5);
  EXPECT_EQ(one.low, 5);
  EXPECT_EQ(one.high, 5);
  Estimate four = median_of({4, 1, 3, 2});
  EXPECT_EQ(four.value, 2.5);
  EXPECT_EQ(four.low, 1);
  EXPECT_EQ(four.high, 4);
}

// By the binomial distribution, the 8th and 17th of 24 values enclose the median with 93.6 %, the 7th and
// 18th with 97.7 %.
TEST(Estimate, OfManyValuesHasTheOrderStatisticsInterval) {
  Estimate many = median_of(one_to(24));
  EXPECT_EQ(many.value, 12.5);
  EXPECT_EQ(many.low, 7);
  EXPECT_EQ(many.high, 18);
  // For 100 values, the 40th and 61st: 96.5 %.
  Estimate hundred = median_of(one_to(100));
  EXPECT_EQ(hundred.low, 40);
  EXPECT_EQ(hundred.high, 61);
}

TEST(Estimate, AnOutlierMovesNothing) {
  std::vector<double> values(24, 3.0);
  values[5] = 1000;
  Estimate estimate = median_of(values);
  EXPECT_EQ(estimate.value, 3);
  EXPECT_EQ(estimate.high, 3);
}

}  // namespace
}  // namespace hm::host
