// SPDX-License-Identifier: MIT
#include "analysis/fleet/fleet_over_time.h"

#include <gtest/gtest.h>

#include <random>

namespace hm::fleet {
namespace {

// Returns one measurement with a load of 1000 and `samples` samples, each of which represents 10 events.
store::Bucket bucket(uint64_t begin_s, uint64_t samples) {
  double count = 10 * static_cast<double>(samples);
  store::Group sums;
  sums.samples = samples;
  sums.batches = 1;
  sums.count = count;
  sums.load = 1000;
  sums.count_squares = count * count;
  sums.load_squares = 1e6;
  sums.products = count * 1000;
  return {begin_s, sums};
}

store::Bucket twice(const store::Bucket& one) {
  store::Group sums = one.sums;
  for (double* each : {&sums.count, &sums.load, &sums.count_squares, &sums.load_squares, &sums.products})
    *each *= 2;
  sums.samples *= 2;
  sums.batches *= 2;
  return {one.begin_s, sums};
}

TEST(OverTime, BucketsHaveUsualLengths) {
  EXPECT_EQ(bucket_length(0, 3600, 100'000, 200), 30u);
  EXPECT_EQ(bucket_length(0, 86400, 100'000, 200), 600u);
  EXPECT_EQ(bucket_length(0, 7 * 86400, 100'000, 200), 3600u);
  EXPECT_EQ(bucket_length(0, 365 * 86400, 100'000, 200), 2 * 86400u);
  EXPECT_EQ(bucket_length(0, 3600, 80, 200), 300u) << "of few measurements several are in each";
  EXPECT_EQ(bucket_length(7, 7, 1, 200), 1u);
  EXPECT_EQ(bucket_length(9, 7, 0, 0), 1u);
}

TEST(OverTime, NoMoreBucketsThanWereAskedFor) {
  for (uint64_t length : {1u, 59u, 200u, 3601u, 86401u, 40'000'000u}) {
    for (uint64_t begin : {0u, 7u, 1'700'000'123u}) {
      uint64_t each = bucket_length(begin, begin + length, 1'000'000, 200);
      EXPECT_LE((begin + length) / each - begin / each + 1, 200u) << length;
    }
  }
}

TEST(OverTime, WhatWasNotMeasuredIsNotThereAndWhatWasNotMetIsZero) {
  std::vector<Moment> moments =
      moments_of({bucket(60, 5)}, {twice(bucket(0, 9)), twice(bucket(60, 9)), bucket(240, 9)});
  ASSERT_EQ(moments.size(), 3u);
  ASSERT_TRUE(moments[0].rate && moments[0].rate->limits);
  EXPECT_EQ(moments[0].rate->value, 0);
  EXPECT_GT(moments[0].rate->limits->high, 0);
  EXPECT_EQ(moments[1].samples, 5u);
  EXPECT_DOUBLE_EQ(moments[1].rate->value, 50. / 2000);
  EXPECT_EQ(moments[2].begin_s, 240u);
  EXPECT_FALSE(moments[2].rate->limits) << "of one measurement no interval is known";
}

TEST(OverTime, AStepIsFoundWhereItIs) {
  std::vector<store::Bucket> buckets;
  for (uint64_t i = 0; i < 60; ++i) buckets.push_back(bucket(60 * i, (i < 44 ? 20 : 40) + i % 2));
  std::optional<Step> step = find_step(buckets, buckets);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->at_s, 44 * 60u);
  EXPECT_DOUBLE_EQ(step->before.value, 0.205);
  EXPECT_DOUBLE_EQ(step->after.value, 0.405);
  EXPECT_GT(step->difference.low, 0);
}

TEST(OverTime, ChanceIsNoStep) {
  std::mt19937 random(2);
  int steps = 0;
  for (int run = 0; run < 300; ++run) {
    std::poisson_distribution<uint64_t> samples(5);
    std::vector<store::Bucket> buckets;
    for (uint64_t i = 0; i < 200; ++i) buckets.push_back(bucket(60 * i, samples(random)));
    steps += find_step(buckets, buckets) ? 1 : 0;
  }
  EXPECT_LE(steps, 6);
}

TEST(OverTime, OfFewMeasurementsNoStepIsTold) {
  std::vector<store::Bucket> buckets;
  for (uint64_t i = 0; i < 15; ++i) buckets.push_back(bucket(60 * i, i < 7 ? 10 : 50));
  EXPECT_FALSE(find_step(buckets, buckets));
  EXPECT_FALSE(find_step({}, {}));
}

}  // namespace
}  // namespace hm::fleet
