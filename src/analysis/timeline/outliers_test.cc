// SPDX-License-Identifier: MIT
#include "analysis/timeline/outliers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace hm::timeline {
namespace {

constexpr size_t kBins = 10'000;
const double kLimit = std::log(0.01);

std::vector<Amount> row_of(const std::vector<double>& samples) {
  std::vector<Amount> row;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (samples[i] > 0) row.push_back({static_cast<uint32_t>(i), static_cast<float>(samples[i])});
  }
  return row;
}

TEST(Outliers, AreFoundWhereNothingElseIs) {
  std::vector<double> samples(kBins);
  for (size_t i = 4000; i < 4008; ++i) samples[i] = 1;
  std::vector<Outlier> found = find_outliers(row_of(samples), kBins, kLimit);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].begin, 4000u);
  EXPECT_EQ(found[0].end, 4008u);
  EXPECT_DOUBLE_EQ(found[0].per_bin, 1);
  EXPECT_EQ(found[0].usual, 0);
  EXPECT_LT(found[0].log_chance, kLimit);
}

TEST(Outliers, OfARowWithNextToNothingAreNone) {
  EXPECT_TRUE(find_outliers({}, kBins, kLimit).empty());
  std::vector<double> samples(kBins);
  samples[4000] = samples[4001] = 1;
  EXPECT_TRUE(find_outliers(row_of(samples), kBins, kLimit).empty()) << "two samples may be anything";
}

TEST(Outliers, AFewDoNotHideEachOther) {
  std::vector<double> samples(kBins);
  for (size_t start : {1500, 4000, 8200}) {
    for (size_t i = start; i < start + 8; ++i) samples[i] = 1;
  }
  EXPECT_EQ(find_outliers(row_of(samples), kBins, kLimit).size(), 3u);
}

TEST(Outliers, WhatHappensAgainAndAgainIsUsual) {
  std::vector<double> samples(kBins);
  for (size_t start = 100; start + 8 < kBins; start += 250) {
    for (size_t i = start; i < start + 8; ++i) samples[i] = 1;
  }
  EXPECT_TRUE(find_outliers(row_of(samples), kBins, kLimit).empty());
}

TEST(Outliers, APhaseIsNone) {
  std::vector<double> samples(kBins);
  for (size_t i = 3000; i < 7000; ++i) samples[i] = 1;
  EXPECT_TRUE(find_outliers(row_of(samples), kBins, kLimit).empty());
}

// Returns the number of rows with an outlier, among random rows of a program without episodes.
size_t false_alarms(uint32_t seed, const std::function<void(std::mt19937&, std::vector<double>&)>& fill) {
  constexpr int kRows = 2000;
  std::mt19937 random(seed);
  size_t alarms = 0;
  for (int i = 0; i < kRows; ++i) {
    std::vector<double> samples(kBins);
    fill(random, samples);
    alarms += find_outliers(row_of(samples), kBins, kLimit).empty() ? 0 : 1;
  }
  return alarms;
}

TEST(Outliers, AreRareInRowsWithoutEpisodes) {
  // With 8 window widths and a chance of at most 1 in 100 each: 160 of 2000 rows.
  EXPECT_LE(false_alarms(1,
                         [](std::mt19937& random, std::vector<double>& samples) {
                           std::bernoulli_distribution hit(
                               std::pow(10.0, -1 - 3 * static_cast<double>(random() % 100) / 100));
                           for (double& each : samples) each = hit(random) ? 1 : 0;
                         }),
            20u)
      << "samples that fall anywhere";
  EXPECT_LE(false_alarms(2,
                         [](std::mt19937& random, std::vector<double>& samples) {
                           // Bursts of random length, with a mean of ten bins.
                           std::geometric_distribution<size_t> length(0.1), gap(0.002);
                           for (size_t i = gap(random); i < samples.size();) {
                             for (size_t k = length(random) + 1; k > 0 && i < samples.size(); --k)
                               samples[i++] = 1;
                             i += gap(random) + 1;
                           }
                         }),
            160u)
      << "bursts";
  EXPECT_LE(false_alarms(3,
                         [](std::mt19937& random, std::vector<double>& samples) {
                           std::normal_distribution<double> share(0.4, 0.1);
                           for (double& each : samples) each = std::clamp(share(random), 0.0, 1.0);
                         }),
            20u)
      << "a function that always runs";
}

}  // namespace
}  // namespace hm::timeline
