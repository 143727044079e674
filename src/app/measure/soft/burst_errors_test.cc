// SPDX-License-Identifier: MIT
#include "app/measure/soft/burst_errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace hm::measure {
namespace {

using event::EventId;
constexpr unsigned kMiss = event::index_of(EventId::kL1CacheMiss);

soft::BurstSums sums_of(const std::vector<std::pair<uint64_t, uint64_t>>& slots_and_events) {
  soft::BurstSums sums{};
  for (auto [slots, events] : slots_and_events) {
    uint64_t of_event[event::kEventCount] = {};
    of_event[kMiss] = events;
    sums.add_burst(slots, of_event);
  }
  return sums;
}

TEST(BurstErrorsTest, OneBurstTellsNoError) {
  EXPECT_EQ(relative_error(sums_of({{100, 5}}), EventId::kL1CacheMiss), std::nullopt);
}

TEST(BurstErrorsTest, AnEventThatIsNeverSeenHasNone) {
  EXPECT_EQ(relative_error(sums_of({{100, 0}, {100, 0}}), EventId::kL1CacheMiss), std::nullopt);
}

TEST(BurstErrorsTest, EqualRatesHaveNoError) {
  EXPECT_NEAR(*relative_error(sums_of({{100, 5}, {200, 10}, {60, 3}}), EventId::kL1CacheMiss), 0, 1e-6);
}

TEST(BurstErrorsTest, TheErrorIsThatOfAMean) {
  // The mean is 5, the sample variance 4 / 3, Student's quantile with three degrees of freedom 3.182.
  EXPECT_NEAR(*relative_error(sums_of({{100, 4}, {100, 6}, {100, 4}, {100, 6}}), EventId::kL1CacheMiss),
              3.182 * std::sqrt(4.0 / 3 / 4) / 5, 0.01);
}

// The bursts within an episode are equal here, so that they give no information about the next episode.
TEST(BurstErrorsTest, InEpisodesTheIntervalGoesByHowMuchTheseDiffer) {
  soft::Totals totals;
  totals.bursts = sums_of({{100, 4}, {100, 4}, {100, 4}, {100, 8}, {100, 8}, {100, 8}});
  totals.episodes = sums_of({{300, 12}, {300, 24}});
  totals.slots = 6000, totals.counted.slots = 600, totals.counted.events[kMiss] = 36;
  EXPECT_LT(*relative_error(totals, EventId::kL1CacheMiss, false), 0.4);
  EXPECT_GT(*relative_error(totals, EventId::kL1CacheMiss, true), 4);
}

TEST(BurstErrorsTest, WhatIsKnownExactlyMakesTheRestMatterLess) {
  soft::Totals totals;
  totals.bursts = sums_of({{100, 4}, {100, 6}, {100, 4}, {100, 6}});
  totals.slots = 4000, totals.counted.slots = 400, totals.counted.events[kMiss] = 20;
  double error = *relative_error(totals, EventId::kL1CacheMiss, false);
  totals.slots += 1000, totals.counted.slots += 1000, totals.counted.events[kMiss] += 200;
  totals.exact.slots = 1000, totals.exact.events[kMiss] = 200;  // as many events as the bursts represent
  EXPECT_NEAR(*relative_error(totals, EventId::kL1CacheMiss, false), error / 2, 1e-9);
}

TEST(BurstErrorsTest, TheIntervalHoldsInNineteenOfTwentyCases) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> rate(1.0 / 50);
  int held = 0;
  constexpr int kCases = 2000, kBursts = 60;
  for (int i = 0; i < kCases; ++i) {
    std::vector<std::pair<uint64_t, uint64_t>> bursts;
    double events = 0, slots = 0;
    for (int j = 0; j < kBursts; ++j) {
      bursts.emplace_back(900 + random() % 200, std::poisson_distribution<uint64_t>(rate(random))(random));
      events += static_cast<double>(bursts.back().second);
      slots += static_cast<double>(bursts.back().first);
    }
    double ratio = events / slots, error = *relative_error(sums_of(bursts), EventId::kL1CacheMiss);
    held += std::abs(50.0 / 999.5 - ratio) <= error * ratio ? 1 : 0;
  }
  EXPECT_GE(held, kCases * 92 / 100);
}

std::vector<model::SizeCounts> batches_of(
    const std::vector<std::pair<uint64_t, uint64_t>>& accesses_and_hits) {
  std::vector<model::SizeCounts> batches;
  for (auto [accesses, hits] : accesses_and_hits) {
    batches.emplace_back().accesses = accesses;
    batches.back().at_depth[0][0] = hits;
  }
  return batches;
}

TEST(BurstMissesTest, AreScaledToAllAccesses) {
  sizes::SampledMisses found = burst_misses(batches_of({{100, 60}, {300, 180}, {0, 0}}), 4000, 0, 1);
  EXPECT_EQ(found.misses, 1600u);
  EXPECT_EQ(found.error, 0u) << "all batches miss alike";
}

TEST(BurstMissesTest, AreAsUncertainAsBatchesDiffer) {
  // Misses of 40, 60, 40, 60 per 100, as in TheErrorIsThatOfAMean.
  sizes::SampledMisses found =
      burst_misses(batches_of({{100, 60}, {100, 40}, {100, 60}, {100, 40}}), 4000, 0, 1);
  EXPECT_EQ(found.misses, 2000u);
  EXPECT_NEAR(static_cast<double>(found.error), 4000 * 3.182 * std::sqrt(400.0 / 3 / 4) / 100, 5);
}

TEST(BurstMissesTest, OneBatchTellsNothing) {
  EXPECT_EQ(burst_misses(batches_of({{100, 60}, {0, 0}}), 4000, 0, 1).error, 4000u);
}

}  // namespace
}  // namespace hm::measure
