// SPDX-License-Identifier: MIT
#include "analysis/diff/statistics.h"

#include <gtest/gtest.h>

#include "profile/event_counts.h"

namespace hm::diff {
namespace {

// Newcombe (1998), table II, method 10.
struct Published {
  double found1, of1, found2, of2, low, high;
};

class Newcombe : public ::testing::TestWithParam<Published> {};

TEST_P(Newcombe, AgreesWithTheTableOfThePaper) {
  const Published& p = GetParam();
  profile::Share first = profile::wilson_share(p.found1 / p.of1, p.of1);
  profile::Share second = profile::wilson_share(p.found2 / p.of2, p.of2);
  Interval found = sampled_difference({second.value, {second.low, second.high}},
                                      {first.value, {first.low, first.high}}, 1);
  EXPECT_NEAR(found.low, p.low, 0.00005);
  EXPECT_NEAR(found.high, p.high, 0.00005);
}

INSTANTIATE_TEST_SUITE_P(Table2, Newcombe,
                         ::testing::Values(Published{56, 70, 48, 80, 0.0524, 0.3339},
                                           Published{9, 10, 3, 10, 0.1705, 0.8090},
                                           Published{6, 7, 2, 7, 0.0582, 0.8062},
                                           Published{5, 56, 0, 29, -0.0381, 0.1926},
                                           Published{10, 10, 0, 10, 0.6075, 1.0000}));

TEST(SampledDifference, OfWhatIsExactIsExact) {
  EXPECT_EQ(sampled_difference({100.0, {100, 100}}, {130.0, {130, 130}}, 1), (Interval{30, 30}));
  EXPECT_EQ(sampled_difference({100.0, {100, 100}}, {130.0, {130, 130}}, 2), (Interval{-70, -70}));
}

TEST(SampledDifference, OfWhatIsNotKnownIsAllThatIsPossible) {
  EXPECT_EQ(sampled_difference({std::nullopt, {0, 40}}, {100.0, {80, 120}}, 1), (Interval{40, 120}));
}

TEST(RepeatedDifference, IsWelchs) {
  std::optional<Interval> found = repeated_difference({20, 24, 22, 26}, {30, 31, 33}, 1);
  ASSERT_TRUE(found);
  // Variances 20/3 and 7/3: s^2 = 20/12 + 7/9 = 2.4444; 4.86 degrees, with t = 2.594.
  EXPECT_NEAR((found->low + found->high) / 2, 8.33333, 1e-5);
  EXPECT_NEAR((found->high - found->low) / 2, 2.594 * 1.56347, 1e-3);
}

TEST(RepeatedDifference, TakesTheOtherSidesVarianceForASingleRun) {
  std::optional<Interval> found = repeated_difference({100}, {108, 110, 112}, 1);
  ASSERT_TRUE(found);
  // Variance 4, 2 degrees: 4.303 * sqrt(4 + 4 / 3).
  EXPECT_NEAR(found->low, 10 - 4.303 * 2.309401, 1e-4);
  EXPECT_NEAR(found->high, 10 + 4.303 * 2.309401, 1e-4);
}

TEST(PairedDifference, IsStudentsIntervalOfTheDifferences) {
  Interval found = paired_difference({20, 240, 22}, {21, 243, 24}, 1);
  // Differences 1, 3, 2: variance 1, 2 degrees, 4.303 / sqrt(3).
  EXPECT_NEAR(found.low, 2 - 4.303 / 1.7320508, 1e-3);
  EXPECT_NEAR(found.high, 2 + 4.303 / 1.7320508, 1e-3);
  EXPECT_EQ(paired_difference({5, 70}, {10, 140}, 2), (Interval{0, 0}));
}

TEST(RepeatedDifference, OneRunEachTellsNothing) {
  EXPECT_EQ(repeated_difference({100}, {200}, 1), std::nullopt);
}

}  // namespace
}  // namespace hm::diff
