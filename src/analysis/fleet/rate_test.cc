// SPDX-License-Identifier: MIT
#include "analysis/fleet/rate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace hm::fleet {
namespace {

struct Measured {
  double load = 0;
  uint64_t samples = 0;
};

// Adds up batches as a store does; each sample represents `period` events.
store::Group sum(const std::vector<Measured>& batches, double period, bool whole) {
  store::Group group;
  for (const Measured& each : batches) {
    if (!whole && each.samples == 0) continue;  // a batch without the place has no row for it
    double count = period * static_cast<double>(each.samples);
    ++group.batches;
    group.samples += each.samples;
    group.count += count;
    group.load += each.load;
    group.count_squares += count * count;
    group.load_squares += each.load * each.load;
    group.products += count * each.load;
  }
  if (whole && group.samples == 0) {  // other places have samples
    group.samples = 1;
    group.count = period;
  }
  return group;
}

TEST(Rate, IsTheRatioOfTheSums) {
  std::vector<Measured> batches{{100, 1}, {300, 5}};
  std::optional<Rate> rate = rate_of(sum(batches, 10, false), sum(batches, 10, true));
  ASSERT_TRUE(rate);
  EXPECT_DOUBLE_EQ(rate->value, 60. / 400);
}

TEST(Rate, IsNotKnownWithoutALoadAndNotHowWellFromOneBatch) {
  EXPECT_FALSE(rate_of({}, {}));
  std::vector<Measured> one{{100, 1}};
  std::optional<Rate> rate = rate_of(sum(one, 10, false), sum(one, 10, true));
  ASSERT_TRUE(rate);
  EXPECT_FALSE(rate->limits);
}

// x = 2, 4, 6; l = 1, 2, 3: the ratio is 2 in each batch, so only the sampling error of 12 samples remains;
// t(2) = 4.303.
TEST(Rate, IsAsUncertainAsItsFewSamplesWhereBatchesAgree) {
  std::vector<Measured> batches{{1, 2}, {2, 4}, {3, 6}};
  std::optional<Rate> rate = rate_of(sum(batches, 1, false), sum(batches, 1, true));
  ASSERT_TRUE(rate && rate->limits);
  double t = 4.303, middle = 12 + t * t / 2, half = t * std::sqrt(12 + t * t / 4);
  EXPECT_NEAR(rate->limits->low, (middle - half) / 6, 1e-9);
  EXPECT_NEAR(rate->limits->high, (middle + half) / 6, 1e-9);
}

// Batches with loads that differ tenfold. The rate varies between batches beyond chance: it has a gamma
// distribution around the true rate.
class Machine {
 public:
  std::vector<Measured> measure(size_t batches, double rate, double period) {
    std::vector<Measured> measured;
    std::uniform_real_distribution<double> load(1e6, 1e7);
    std::gamma_distribution<double> varies(4, 0.25);
    for (size_t i = 0; i < batches; ++i) {
      Measured each{load(random_), 0};
      each.samples =
          std::poisson_distribution<uint64_t>(rate * varies(random_) * each.load / period)(random_);
      measured.push_back(each);
    }
    return measured;
  }

 private:
  std::mt19937_64 random_{7};
};

TEST(Rate, ItsIntervalHoldsTheTruthWhateverTheLoads) {
  Machine machine;
  for (double rate : {1e-3, 1e-5}) {
    int holds = 0, runs = 2000;
    for (int i = 0; i < runs; ++i) {
      std::vector<Measured> batches = machine.measure(40, rate, 1000);
      std::optional<Rate> found = rate_of(sum(batches, 1000, false), sum(batches, 1000, true));
      const std::optional<Interval>& limits = found->limits;
      if (limits && limits->low <= rate && rate <= limits->high) ++holds;
    }
    EXPECT_GE(holds, 0.91 * runs) << rate;
  }
}

TEST(Rate, NoDifferenceIsFoundWhereThereIsNone) {
  Machine machine;
  int found = 0, runs = 2000;
  for (int i = 0; i < runs; ++i) {
    std::vector<Measured> a = machine.measure(30, 1e-4, 1000), b = machine.measure(60, 1e-4, 1000);
    std::optional<Interval> limits = difference_limits(*rate_of(sum(a, 1000, false), sum(a, 1000, true)),
                                                       *rate_of(sum(b, 1000, false), sum(b, 1000, true)));
    if (limits->low > 0 || limits->high < 0) ++found;
  }
  EXPECT_LE(found, 0.08 * runs);
}

// Readings are not sampled, so only the variation between batches counts. The mean of 4, 6 and 5 is 5, and
// its 95 % interval by Student's t (2 degrees of freedom, 4.30) is 5 plus or minus 2.48.
TEST(Rate, OfReadingsIsTheirMean) {
  store::Group group;
  group.batches = 3;
  group.count = group.products = 15;
  group.load = group.load_squares = 3;
  group.count_squares = 77;
  std::optional<Rate> rate = rate_of(group, group);
  ASSERT_TRUE(rate && rate->limits);
  EXPECT_DOUBLE_EQ(rate->value, 5);
  EXPECT_NEAR(rate->limits->low, 5 - 2.48, 0.7);
  EXPECT_NEAR(rate->limits->high, 5 + 2.48, 0.7);
  group.count_squares = 75;  // all readings are equal
  rate = rate_of(group, group);
  ASSERT_TRUE(rate && rate->limits);
  EXPECT_DOUBLE_EQ(rate->limits->low, 5);
  EXPECT_DOUBLE_EQ(rate->limits->high, 5);
  store::Group absent;
  rate = rate_of(absent, group);
  ASSERT_TRUE(rate);
  EXPECT_FALSE(rate->limits) << "what was not read is not known to be little";
}

TEST(Rate, AnAbsentPlaceIsNotCertainlyAbsent) {
  Machine machine;
  std::vector<Measured> batches = machine.measure(20, 1e-4, 1000);
  std::optional<Rate> none = rate_of({}, sum(batches, 1000, true));
  ASSERT_TRUE(none && none->limits);
  EXPECT_EQ(none->value, 0);
  EXPECT_GT(none->limits->high, 0);
}

}  // namespace
}  // namespace hm::fleet
