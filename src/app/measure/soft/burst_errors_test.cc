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

using SlotsAndEvents = std::vector<std::pair<uint64_t, uint64_t>>;

void add_burst(soft::BurstList& list, const soft::Counted& burst) {
  list.add({1000 * list.bursts(), 1, burst});
}

// Adds a burst with events of one kind.
void add_burst(soft::Totals& totals, uint64_t slots, uint64_t cycles, EventId id, uint64_t events) {
  soft::Counted burst{.slots = slots, .cycles = cycles};
  burst.events[event::index_of(id)] = events;
  add_burst(totals.bursts, burst);
  totals.counted.slots += slots;
  totals.counted.cycles += cycles;
  totals.counted.events[event::index_of(id)] += events;
}

// A run without an exactly measured beginning: the whole total is estimated.
soft::Totals totals_of(const SlotsAndEvents& bursts) {
  soft::Totals totals;
  for (auto [slots, events] : bursts) add_burst(totals, slots, 0, EventId::kL1CacheMiss, events);
  totals.slots = 10 * totals.counted.slots;
  return totals;
}

std::optional<double> error_of(const soft::Totals& totals, bool in_episodes = false) {
  return BurstErrors(totals, in_episodes).of_total(EventId::kL1CacheMiss);
}

TEST(BurstErrorsTest, OneBurstTellsNoError) { EXPECT_EQ(error_of(totals_of({{100, 5}})), std::nullopt); }

// All bursts miss a function with that share of the instructions in one of twenty runs.
TEST(BurstErrorsTest, FunctionsOfTheUnseenShareAreMissedInOneOfTwentyRuns) {
  constexpr int kRuns = 4000;
  std::mt19937 random(7);
  for (uint64_t bursts : {3, 30, 300}) {
    soft::Totals totals{};
    totals.slots = 1000;
    for (uint64_t i = 0; i < bursts; ++i) totals.bursts.add({i, 1, {}});
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
  for (uint64_t i = 0; i < 3000; ++i) totals.bursts.add({i, 1, {}});
  for (uint64_t i = 0; i < 30; ++i) totals.episodes.add({i, 1, {}});
  EXPECT_NEAR(unseen_share(totals, false), 0.001, 1e-5);
  EXPECT_NEAR(unseen_share(totals, true), 0.095, 1e-3);
}

TEST(BurstErrorsTest, NothingIsUnseenInThePartThatWasMeasuredExactly) {
  soft::Totals totals{};
  totals.slots = 1000;
  totals.exact.slots = 750;
  for (uint64_t i = 0; i < 30; ++i) totals.bursts.add({i, 1, {}});
  EXPECT_NEAR(unseen_share(totals, false), 0.095 / 4, 1e-3);
}

TEST(BurstErrorsTest, AnEventThatIsNeverSeenHasNone) {
  EXPECT_EQ(error_of(totals_of({{100, 0}, {100, 0}})), std::nullopt);
}

TEST(BurstErrorsTest, EqualRatesHaveNoError) {
  EXPECT_NEAR(*error_of(totals_of({{100, 5}, {200, 10}, {60, 3}})), 0, 1e-6);
}

// The rate of misses rises steadily. Bursts are spread evenly, so they cover every phase.
TEST(BurstErrorsTest, SlowChangesAreNoError) {
  SlotsAndEvents rising;
  for (uint64_t i = 0; i < 100; ++i) rising.emplace_back(100, i);
  EXPECT_LT(*error_of(totals_of(rising)), 0.01);
}

// The bursts of each episode are equal, but the two episodes differ. The interval must follow from the
// difference between the episodes, because bursts of one episode do not predict the next episode.
TEST(BurstErrorsTest, InEpisodesTheIntervalFollowsFromTheirDifference) {
  soft::Totals totals = totals_of({{100, 4}, {100, 4}, {100, 4}, {100, 8}, {100, 8}, {100, 8}});
  totals.episodes = totals_of({{300, 12}, {300, 24}}).bursts;
  EXPECT_LT(*error_of(totals), 1);
  EXPECT_GT(*error_of(totals, true), 4);
}

TEST(BurstErrorsTest, WhatIsKnownExactlyMakesTheRestMatterLess) {
  soft::Totals totals = totals_of({{100, 4}, {100, 6}, {100, 4}, {100, 6}});
  double error = *error_of(totals);
  totals.slots += 1000, totals.counted.slots += 1000, totals.counted.events[kMiss] += 200;
  totals.exact.slots = 1000, totals.exact.events[kMiss] = 200;  // as many events as the bursts represent
  EXPECT_NEAR(*error_of(totals), error / 2, 1e-9);
}

// Of `kCases` simulated runs, how many have an interval with the true rate of misses. `rate` returns a
// burst's rate.
template <typename Rate>
int count_held(uint64_t bursts, double true_rate, Rate&& rate, int cases) {
  std::mt19937_64 random(1);
  int held = 0;
  for (int i = 0; i < cases; ++i) {
    SlotsAndEvents found;
    double events = 0, slots = 0;
    for (uint64_t j = 0; j < bursts; ++j) {
      found.emplace_back(900 + random() % 200, std::poisson_distribution<uint64_t>(rate(random))(random));
      events += static_cast<double>(found.back().second);
      slots += static_cast<double>(found.back().first);
    }
    auto error = error_of(totals_of(found));
    double ratio = events / slots;
    held += error && std::abs(true_rate / 999.5 - ratio) <= *error * ratio ? 1 : 0;
  }
  return held;
}

TEST(BurstErrorsTest, TheIntervalHoldsInNineteenOfTwentyCases) {
  constexpr int kCases = 2000;
  std::exponential_distribution<double> rate(1.0 / 50);
  EXPECT_GE(count_held(60, 50, rate, kCases), kCases * 92 / 100);
}

// A few bursts have nearly all events. The variance from them is known no better than from so many bursts.
TEST(BurstErrorsTest, TheIntervalOfRareEventsInBunchesHolds) {
  constexpr int kCases = 2000;
  constexpr uint64_t kBursts = 300;
  for (double met : {6.0, 10.0, 30.0}) {
    std::uniform_real_distribution<double> any;
    auto rate = [&](std::mt19937_64& random) {
      return any(random) < met / kBursts ? 1000 * 2 * any(random) : 0.01;
    };
    double truth = 1000 * met / kBursts + 0.01 * (1 - met / kBursts);
    EXPECT_GE(count_held(kBursts, truth, rate, kCases), kCases * 90 / 100) << met;
  }
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
      uint64_t slots = kSlots - 200 + random_() % 400;
      double waits = waits_(random_) * static_cast<double>(slots) / kSlots;
      double busy = busy_(random_) * static_cast<double>(slots) / kSlots;
      auto cycles = static_cast<uint64_t>(waits + busy);
      add_burst(totals, slots, cycles, EventId::kMemoryWait, static_cast<uint64_t>(waits));
    }
    totals.slots = kGap * totals.counted.slots;
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
      held += std::abs(share - truth) <= *error_of_wait_share(totals) ? 1 : 0;
    }
    return held;
  }

  static std::optional<double> error_of_wait_share(const soft::Totals& totals) {
    return BurstErrors(totals, false).of_wait_share();
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
      static_cast<double>(totals.counted.events[kWaits]) / static_cast<double>(totals.counted.cycles);
  EXPECT_LT(*error_of_wait_share(totals), share * *BurstErrors(totals, false).of_total(EventId::kMemoryWait));
}

TEST_F(WaitShareTest, BurstsThatWaitForEqualSharesHaveNoError) {
  soft::Totals totals;
  for (uint64_t i = 1; i < 5; ++i) add_burst(totals, 1000, 400 * i, EventId::kMemoryWait, 100 * i);
  totals.slots = 400'000;
  EXPECT_NEAR(*error_of_wait_share(totals), 0, 1e-6);
}

TEST_F(WaitShareTest, OneBurstTellsNoError) {
  soft::Totals totals;
  add_burst(totals, 1000, 400, EventId::kMemoryWait, 0);
  totals.slots = 1000;
  EXPECT_EQ(error_of_wait_share(totals), std::nullopt);
}

// They do not differ, but a phase with waits may lie between them.
TEST_F(WaitShareTest, BurstsWithoutWaitsTellNoError) {
  soft::Totals totals;
  for (int i = 0; i < 50; ++i) add_burst(totals, 1000, 400, EventId::kMemoryWait, 0);
  totals.slots = 400'000;
  EXPECT_EQ(error_of_wait_share(totals), std::nullopt);
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
