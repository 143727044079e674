// SPDX-License-Identifier: MIT
#include "app/measure/soft/burst_errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "pmu/soft/launcher/burst_estimate.h"

namespace hm::measure {
namespace {

using event::EventId;
constexpr unsigned kMiss = event::index_of(EventId::kL1CacheMiss);

soft::BurstSums sums_of(const std::vector<std::pair<uint64_t, uint64_t>>& slots_and_events) {
  soft::BurstSums sums{};
  for (auto [slots, events] : slots_and_events) {
    uint64_t of_event[event::kEventCount] = {};
    of_event[kMiss] = events;
    sums.add_burst(slots, 0, of_event);
  }
  return sums;
}

TEST(BurstErrorsTest, OneBurstTellsNoError) {
  EXPECT_EQ(relative_error(sums_of({{100, 5}}), EventId::kL1CacheMiss), std::nullopt);
}

// All bursts miss a function with that share of the instructions in one of twenty runs.
TEST(BurstErrorsTest, FunctionsOfTheUnseenShareAreMissedInOneOfTwentyRuns) {
  constexpr int kRuns = 4000;
  std::mt19937 random(7);
  for (uint64_t bursts : {3, 30, 300}) {
    soft::Totals totals{};
    totals.slots = 1000;
    totals.bursts.bursts = bursts;
    std::bernoulli_distribution meets(unseen_share(totals, false));
    int missed = 0;
    for (int run = 0; run < kRuns; ++run) {
      bool met = false;
      for (uint64_t i = 0; i < bursts; ++i) met = meets(random) || met;
      missed += met ? 0 : 1;
    }
    EXPECT_NEAR(missed, kRuns / 20.0, 60) << bursts;
  }
}

TEST(BurstErrorsTest, EpisodesAreOneObservationEachForTheUnseenShare) {
  soft::Totals totals{};
  totals.slots = 1000;
  EXPECT_EQ(unseen_share(totals, false), 1);
  totals.bursts.bursts = 3000;
  totals.episodes.bursts = 30;
  EXPECT_NEAR(unseen_share(totals, false), 0.001, 1e-5);
  EXPECT_NEAR(unseen_share(totals, true), 0.095, 1e-3);
}

TEST(BurstErrorsTest, NothingIsUnseenInThePartThatWasMeasuredExactly) {
  soft::Totals totals{};
  totals.slots = 1000;
  totals.exact.slots = 750;
  totals.bursts.bursts = 30;
  EXPECT_NEAR(unseen_share(totals, false), 0.095 / 4, 1e-3);
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

// The bursts of each episode are equal, but the two episodes differ. The interval must follow from the
// difference between the episodes, because bursts of one episode do not predict the next episode.
TEST(BurstErrorsTest, InEpisodesTheIntervalFollowsFromTheirDifference) {
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

// A run of bursts with different waits. The cycles of each burst contain its waits. Before the bursts,
// `exact_waits` of `exact_cycles` were waits.
class WaitShareTest : public testing::Test {
 protected:
  static constexpr unsigned kWaits = event::index_of(EventId::kMemoryWait);
  static constexpr uint64_t kSlots = 8000, kBursts = 60, kGap = 100;
  static constexpr double kMeanWaits = 3000, kBusyCycles = 5000;

  soft::Totals run(uint64_t exact_waits, uint64_t exact_cycles) {
    soft::Totals totals;
    for (uint64_t i = 0; i < kBursts; ++i) {
      uint64_t slots = kSlots - 200 + random_() % 400, events[event::kEventCount] = {};
      double waits = waits_(random_) * static_cast<double>(slots) / kSlots;
      double busy = busy_(random_) * static_cast<double>(slots) / kSlots;
      events[kWaits] = static_cast<uint64_t>(waits);
      auto cycles = static_cast<uint64_t>(waits + busy);
      totals.bursts.add_burst(slots, cycles, events);
      totals.counted.cycles += cycles;
      totals.counted.events[kWaits] += events[kWaits];
    }
    totals.counted.slots = totals.bursts.slots;
    totals.slots = kGap * totals.bursts.slots;
    if (exact_cycles != 0) {
      totals.exact.slots = kSlots;
      totals.exact.cycles = exact_cycles;
      totals.exact.events[kWaits] = exact_waits;
      totals.slots += kSlots;
      totals.counted.slots += kSlots;
      totals.counted.cycles += exact_cycles;
      totals.counted.events[kWaits] += exact_waits;
    }
    return totals;
  }

  // Returns how many of the intervals of `kRuns` runs contain the true share.
  int count_held(uint64_t exact_waits, uint64_t exact_cycles) {
    double all_slots = kGap * kBursts * kSlots, per_burst = all_slots / kSlots;
    double truth = (static_cast<double>(exact_waits) + kMeanWaits * per_burst) /
                   (static_cast<double>(exact_cycles) + (kMeanWaits + kBusyCycles) * per_burst);
    int held = 0;
    for (int i = 0; i < kRuns; ++i) {
      soft::Totals totals = run(exact_waits, exact_cycles);
      soft::BurstEstimate estimate(totals);
      double share =
          static_cast<double>(estimate.all(totals.counted.events[kWaits], totals.exact.events[kWaits])) /
          static_cast<double>(estimate.all(totals.counted.cycles, totals.exact.cycles));
      held += std::abs(share - truth) <= *wait_share_error(totals, false) ? 1 : 0;
    }
    return held;
  }

  static constexpr int kRuns = 1000;

 private:
  std::mt19937_64 random_{1};
  std::gamma_distribution<double> waits_{2, kMeanWaits / 2};
  std::normal_distribution<double> busy_{kBusyCycles, kBusyCycles / 10};
};

TEST_F(WaitShareTest, TheIntervalHoldsInNineOfTenRuns) {
  int held = count_held(0, 0);
  EXPECT_GE(held, kRuns * 90 / 100);
  EXPECT_LE(held, kRuns * 99 / 100) << "the interval is too wide";
}

TEST_F(WaitShareTest, TheIntervalHoldsIfTheBeginningIsKnown) {
  constexpr uint64_t kPerBurst = kGap * kBursts;  // as many cycles as the bursts represent
  auto cycles = static_cast<uint64_t>(kMeanWaits + kBusyCycles) * kPerBurst;
  int held = count_held(cycles / 10, cycles);
  EXPECT_GE(held, kRuns * 90 / 100);
  EXPECT_LE(held, kRuns * 99 / 100) << "the interval is too wide";
}

TEST_F(WaitShareTest, TheIntervalIsNarrowerThanThatOfTheWaits) {
  soft::Totals totals = run(0, 0);
  double share =
      static_cast<double>(totals.bursts.events[kWaits]) / static_cast<double>(totals.bursts.cycles);
  EXPECT_LT(*wait_share_error(totals, false), share * *relative_error(totals, EventId::kMemoryWait, false));
}

TEST_F(WaitShareTest, BurstsThatWaitForEqualSharesHaveNoError) {
  soft::Totals totals;
  for (uint64_t i = 1; i < 5; ++i) {
    uint64_t events[event::kEventCount] = {};
    events[kWaits] = 100 * i;
    totals.bursts.add_burst(1000, 400 * i, events);
  }
  totals.slots = 400'000, totals.counted.slots = 4000;
  totals.counted.cycles = 4000, totals.counted.events[kWaits] = 1000;
  EXPECT_NEAR(*wait_share_error(totals, false), 0, 1e-6);
}

TEST_F(WaitShareTest, OneBurstTellsNoError) {
  soft::Totals totals;
  totals.bursts.add_burst(1000, 400, {});
  totals.slots = totals.counted.slots = 1000, totals.counted.cycles = 400;
  EXPECT_EQ(wait_share_error(totals, false), std::nullopt);
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
