// SPDX-License-Identifier: MIT
#include "model/cost/stalls.h"

#include <gtest/gtest.h>

#include <random>

namespace hm::model {
namespace {

constexpr uint32_t kCycle = Costs::kPerCycle;

Costs some_costs() {
  Costs costs;
  costs.slot = kCycle / 4;
  costs.levels[3] = {800 * kCycle, 50 * kCycle, 12 * kCycle, 40 * kCycle};
  costs.levels[1] = {10 * kCycle, kCycle, 0, kCycle};
  costs.second_tlb = 7 * kCycle;
  costs.page_walk = 30 * kCycle;
  return costs;
}

// The mean stall in cycles of many misses in memory, `gap` slots apart.
template <typename Line>
double mean_stall(Line line, uint64_t gap, bool waits = false, bool stores = false) {
  Stalls stalls(some_costs());
  constexpr uint64_t kWarm = 10, kMisses = 10'000;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < kWarm + kMisses; ++i) {
    uint64_t slot = 1'000'000 + i * gap;
    CostedMiss miss{line(i), 0x1000, slot, Level::kMemory, Translation::kFirstTlb, stores, waits, slot - gap};
    uint64_t cost = stalls.of(miss).cost;
    if (i >= kWarm) sum += cost;
  }
  return static_cast<double>(sum) / kMisses / kCycle;
}

uint64_t scattered(uint64_t i) { return i * 0x9E3779B97F4A7C15 >> 30; }

TEST(Stalls, OfADependentChainAreTheLatency) { EXPECT_NEAR(mean_stall(scattered, 5, true), 800, 2); }

TEST(Stalls, OfSeveralChainsOverlap) {
  Stalls stalls(some_costs());
  uint64_t sum = 0;
  for (uint64_t i = 0; i < 4000; ++i) {
    uint64_t slot = 10'000 + i, chain = i % 4;
    sum += stalls
               .of({scattered(4 * i + chain), 1, slot, Level::kMemory, Translation::kFirstTlb, false, true,
                    slot - 4})
               .cost;
  }
  EXPECT_NEAR(static_cast<double>(sum) / 4000 / kCycle, 200, 2);
}

// A bucket leads to a node, and the next look-up does not wait for it.
TEST(Stalls, OfIndependentPairsOverlap) {
  Stalls stalls(some_costs());
  uint64_t sum = 0;
  for (uint64_t i = 0; i < 4000; ++i) {
    uint64_t slot = 10'000 + 10 * i;
    bool node = i % 2 != 0;
    sum += stalls.of({scattered(i), 1, slot, Level::kMemory, Translation::kFirstTlb, false, node, slot - 10})
               .cost;
  }
  double of_pair = static_cast<double>(sum) / 2000 / kCycle;
  EXPECT_LT(of_pair, 200) << "16 pairs in a window wait together";
  EXPECT_GE(of_pair, 95) << "two lines of the memory";
}

TEST(Stalls, AfterACodeMissAreNotHiddenByIt) {
  Stalls stalls(some_costs());
  stalls.of({1, 1, 1000, Level::kMemory, Translation::kFirstTlb});
  for (uint64_t i = 0; i < 100; ++i)
    EXPECT_EQ(stalls.of_fetch(scattered(i), 2000 + i, Level::kMemory, Translation::kFirstTlb), 800u * kCycle);
  EXPECT_EQ(stalls.of({9'999, 1, 2100, Level::kMemory, Translation::kFirstTlb}).cost,
            800u * kCycle - kCycle / 4);
}

TEST(Stalls, OfACheapStoreAreThoseOfTheBufferAhead) {
  Stalls stalls(some_costs());
  uint64_t waited = 0;
  for (uint64_t i = 0; i < 20; ++i)
    waited += stalls.of({scattered(i), 1, 1000 + i, Level::kMemory, Translation::kFirstTlb, true}).cost;
  waited += stalls.of({1, 1, 1020, Level::kL2, Translation::kFirstTlb, true}).cost;
  EXPECT_EQ(waited, 0u);
}

TEST(Stalls, OfIndependentMissesOverlapWithinTheWindow) {
  EXPECT_NEAR(mean_stall(scattered, 1), 50, 1) << "as many as the processor can have";
  EXPECT_NEAR(mean_stall(scattered, 80), 180, 5) << "four in a window of 320 slots, which takes 80 cycles";
  EXPECT_NEAR(mean_stall(scattered, 1000), 720, 1) << "alone, but for the window's other instructions";
}

TEST(Stalls, OfAFollowedWalkAreHidden) {
  constexpr double kLeft = 11;  // of 12 cycles, as one runs meanwhile
  const auto forwards = [](uint64_t i) { return i; };
  EXPECT_NEAR(mean_stall(forwards, 4), kLeft, 0.1);
  EXPECT_NEAR(mean_stall(forwards, 4, true), kLeft, 0.1) << "a list in order";
  EXPECT_NEAR(mean_stall([](uint64_t i) { return 1'000'000 - i; }, 4), kLeft, 0.1);
  EXPECT_NEAR(mean_stall([](uint64_t i) { return 16 * i; }, 4), kLeft, 0.1) << "a constant distance";
  EXPECT_EQ(mean_stall(forwards, 4000), 0);
  EXPECT_NEAR(mean_stall([](uint64_t i) { return 100 * i; }, 4), 50, 2) << "too far for a prefetcher";
}

TEST(Stalls, OfInterleavedWalksAreHiddenToo) {
  Stalls stalls(some_costs());
  uint64_t sum = 0;
  for (uint64_t i = 0; i < 10'000; ++i) {
    uint64_t line = i % 5 * 1'000'003 + i / 5;
    sum += stalls.of({line, 7, i * 4, Level::kMemory, Translation::kFirstTlb}).cost;
  }
  EXPECT_NEAR(static_cast<double>(sum) / 10'000 / kCycle, 11, 1);
}

TEST(Stalls, OfStoresWaitOnlyForAFullBuffer) {
  EXPECT_NEAR(mean_stall(scattered, 4, false, true), 39, 1) << "40 cycles each, less one that runs meanwhile";
  EXPECT_EQ(mean_stall(scattered, 1000, false, true), 0);
}

TEST(Stalls, SayWhatHidTheLatency) {
  Stalls stalls(some_costs());
  Stall alone = stalls.of({1, 1, 10'000, Level::kMemory, Translation::kPageWalk});
  EXPECT_EQ(alone.cost, 750 * kCycle);
  EXPECT_EQ(alone.hidden_by_overlap, 80 * kCycle);
  Stall close = stalls.of({9'999, 1, 10'080, Level::kL2, Translation::kFirstTlb});
  EXPECT_EQ(close.cost, 0u) << "complete before the first one";
  EXPECT_EQ(close.hidden_by_overlap, 10 * kCycle);
  EXPECT_EQ(close.hidden_by_prefetch, 0u);
}

TEST(FollowedWalks, AreNotFoundAmongRandomLines) {
  FollowedWalks walks;
  std::mt19937_64 random(1);
  int followed = 0;
  for (int i = 0; i < 100'000; ++i) followed += walks.follows(random() >> 24, 5, some_costs()) ? 1 : 0;
  EXPECT_LT(followed, 100);
}

TEST(FollowedWalks, EndAtAPageIfPrefetchersDo) {
  Costs costs = some_costs();
  costs.crosses_pages = false;
  costs.longest_step = 0;
  FollowedWalks walks;
  int followed = 0;
  for (uint64_t line = 0; line < 640; ++line) followed += walks.follows(line, line, costs) ? 1 : 0;
  EXPECT_EQ(followed, 640 - 3 * 10) << "all but the first three of each page";
}

}  // namespace
}  // namespace hm::model
