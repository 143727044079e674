// SPDX-License-Identifier: MIT
#include "model/cost/stalls.h"

#include <gtest/gtest.h>

#include <random>

namespace hm::model {
namespace {

constexpr uint32_t kCycle = Costs::kPerCycle;
constexpr uint32_t kSlot = kCycle / 4;

Costs some_costs() {
  Costs costs;
  costs.slot = kSlot;
  costs.levels[3] = {800 * kCycle, 50 * kCycle, 12 * kCycle, 40 * kCycle};
  costs.levels[1] = {10 * kCycle, kCycle, 0, kCycle};
  costs.second_tlb = 7 * kCycle;
  for (uint32_t i = 0; i < Costs::kSteps; ++i) costs.followed[i] = (15 + i) * kCycle;
  costs.page_walk = 30 * kCycle;
  costs.mispredict = 15 * kCycle;
  return costs;
}

Position at(uint64_t slot) { return {slot, slot * kSlot}; }
CostedMiss load(uint64_t line, Level level = Level::kMemory) {
  return {.line = line, .site = 1, .level = level};
}
uint64_t scattered(uint64_t i) { return i * 0x9E3779B97F4A7C15 >> 30; }

// A core that executes misses at constant distances.
class Core {
 public:
  // Each miss waits for the one `chains` before; 0: they are independent.
  explicit Core(uint64_t gap, uint64_t chains = 0) : gap_(gap), chains_(chains) {}

  void load_of(uint64_t line) {
    CostedMiss miss = load(line);
    if (chains_ != 0) miss.address_known = complete_[count_ % chains_];
    uint64_t complete = run(miss);
    if (chains_ != 0) complete_[count_ % chains_] = complete;
    ++count_;
  }
  void store_of(uint64_t line) {
    CostedMiss miss = load(line);
    miss.stores = true;
    run(miss);
  }

  // From the start to the last miss.
  [[nodiscard]] double cycles() const {
    return static_cast<double>(stalls_.retired_at(at(slot_)) - uint64_t{kStart} * kSlot) / kCycle;
  }

 private:
  static constexpr uint64_t kStart = 1'000'000;

  uint64_t run(const CostedMiss& miss) {
    slot_ += gap_;
    return stalls_.of(miss, at(slot_)).complete;
  }

  Stalls stalls_ = Stalls(some_costs());
  uint64_t gap_, chains_, slot_ = kStart, count_ = 0;
  uint64_t complete_[8] = {};
};

// The mean cycles from one of many loads to the next.
template <typename Line>
double mean_cycles(Line line, uint64_t gap, uint64_t chains = 0) {
  Core core(gap, chains);
  constexpr uint64_t kMisses = 10'000;
  for (uint64_t i = 0; i < kMisses; ++i) core.load_of(line(i));
  return core.cycles() / kMisses;
}
double mean_cycles_of_stores(uint64_t gap) {
  Core core(gap);
  constexpr uint64_t kMisses = 10'000;
  for (uint64_t i = 0; i < kMisses; ++i) core.store_of(scattered(i));
  return core.cycles() / kMisses;
}

TEST(Stalls, OfADependentChainAreTheLatency) { EXPECT_NEAR(mean_cycles(scattered, 5, 1), 800, 1); }

TEST(Stalls, OfSeveralChainsOverlap) { EXPECT_NEAR(mean_cycles(scattered, 1, 4), 200, 1); }

TEST(Stalls, OfIndependentMissesOverlapWithinTheWindow) {
  EXPECT_NEAR(mean_cycles(scattered, 1), 50, 1) << "as many as the processor can have";
  EXPECT_NEAR(mean_cycles(scattered, 80), 200, 1) << "four in a window of 320 slots";
  EXPECT_NEAR(mean_cycles(scattered, 1000), 250 + 800 - 80, 1)
      << "alone; the window's other instructions run meanwhile";
}

// A bucket leads to a node, and the next look-up does not wait for it.
TEST(Stalls, OfIndependentPairsOverlap) {
  Stalls stalls(some_costs());
  uint64_t slot = 0, bucket_complete = 0;
  for (uint64_t i = 0; i < 4000; ++i) {
    slot = 10 * i;
    CostedMiss miss = load(scattered(i));
    if (i % 2 != 0) miss.address_known = bucket_complete;
    bucket_complete = stalls.of(miss, at(slot)).complete;
  }
  double of_pair = static_cast<double>(stalls.retired_at(at(slot))) / 2000 / kCycle;
  EXPECT_LT(of_pair, 200) << "16 pairs in a window wait together";
  EXPECT_GE(of_pair, 95) << "two lines of the memory";
}

TEST(Stalls, AfterACodeMissAreNotHiddenByIt) {
  Stalls stalls(some_costs());
  stalls.of(load(1), at(1000));
  for (uint64_t i = 0; i < 100; ++i)
    EXPECT_EQ(stalls.of_fetch(scattered(i), at(2000 + i), Level::kMemory, Translation::kFirstTlb),
              800u * kCycle);
  EXPECT_EQ(stalls.of(load(9'999), at(2100)).cost, 800u * kCycle);
}

TEST(Stalls, OfACodeMissAreHiddenByALoad) {
  Stalls stalls(some_costs());
  stalls.of(load(1), at(1000));
  EXPECT_EQ(stalls.of_fetch(5, at(1100), Level::kL2, Translation::kFirstTlb), 0u);
}

TEST(Stalls, OfACheapStoreAreThoseOfTheBufferAhead) {
  Stalls stalls(some_costs());
  uint64_t waited = 0;
  for (uint64_t i = 0; i < 20; ++i) {
    CostedMiss miss = load(scattered(i), i == 19 ? Level::kL2 : Level::kMemory);
    miss.stores = true;
    waited += stalls.of(miss, at(1000 + i)).cost;
  }
  EXPECT_EQ(waited, 0u);
}

TEST(Stalls, OfAFollowedWalkAreHidden) {
  const auto forwards = [](uint64_t i) { return i; };
  EXPECT_NEAR(mean_cycles(forwards, 4), 12, 0.5) << "what the level delivers";
  EXPECT_NEAR(mean_cycles(forwards, 4, 1), 15, 0.5) << "a list in order";
  EXPECT_NEAR(mean_cycles([](uint64_t i) { return 1'000'000 - i; }, 4), 12, 0.5);
  const auto by_sixteen = [](uint64_t i) { return 16 * i; };
  EXPECT_NEAR(mean_cycles(by_sixteen, 4, 1), 19, 0.5) << "a constant distance";
  EXPECT_NEAR(mean_cycles(by_sixteen, 4), 50, 0.5)
      << "many lines at a time take as long as without prefetcher";
  EXPECT_NEAR(mean_cycles(forwards, 4000), 1000, 1);
  EXPECT_NEAR(mean_cycles([](uint64_t i) { return 100 * i; }, 4), 50, 2) << "too far for a prefetcher";
}

TEST(Stalls, OfInterleavedWalksAreHiddenToo) {
  EXPECT_NEAR(mean_cycles([](uint64_t i) { return i % 5 * 1'000'003 + i / 5; }, 4), 12, 1);
}

TEST(Stalls, OfStoresWaitOnlyForAFullBuffer) {
  EXPECT_NEAR(mean_cycles_of_stores(4), 40, 1);
  EXPECT_NEAR(mean_cycles_of_stores(1000), 250, 0.1);
}

TEST(Stalls, SayWhichPartTheTranslationTook) {
  Costs costs = some_costs();
  Stalls stalls(costs);
  CostedMiss miss = load(1);
  miss.translation = Translation::kPageWalk;
  Stall stall = stalls.of(miss, at(1000));
  EXPECT_NEAR(static_cast<double>(stall.translation) / static_cast<double>(stall.cost), 30.0 / 830, 1e-4);
  EXPECT_EQ(stalls.of(load(2), at(2000)).translation, 0u);
  CostedMiss only_tlb = load(3, Level::kL1);
  only_tlb.translation = Translation::kSecondTlb;
  stall = stalls.of(only_tlb, at(3000));
  EXPECT_EQ(stall.translation, stall.cost);
}

TEST(Stalls, TranslationsMayCostNothing) {
  Costs costs = some_costs();
  costs.second_tlb = 0;
  Stalls stalls(costs);
  CostedMiss only_tlb = load(3, Level::kL1);
  only_tlb.translation = Translation::kSecondTlb;
  EXPECT_EQ(stalls.of(only_tlb, at(3000)).translation, 0u);
}

TEST(Stalls, SayWhatHidTheLatency) {
  Stalls stalls(some_costs());
  CostedMiss first = load(1);
  first.translation = Translation::kPageWalk;
  Stall alone = stalls.of(first, at(10'000));
  EXPECT_EQ(alone.cost, 830u * kCycle);
  EXPECT_EQ(alone.hidden_by_overlap, 0u);
  Stall close = stalls.of(load(9'999, Level::kL2), at(10'080));
  EXPECT_EQ(close.cost, 0u) << "complete before the first one";
  EXPECT_EQ(close.hidden_by_overlap, 10 * kCycle);
  EXPECT_EQ(close.hidden_by_prefetch, 0u);
}

TEST(Stalls, OfAMispredictionAreHiddenByAnEarlierLoadOnly) {
  Stalls stalls(some_costs());
  EXPECT_EQ(stalls.of_misprediction(at(1000)), 15u * kCycle);
  stalls.of(load(1), at(10'000));
  EXPECT_EQ(stalls.of_misprediction(at(10'100)), 0u) << "resolved while the load waits";
  stalls.of(load(5'000), at(20'000));
  EXPECT_EQ(stalls.of_misprediction(at(20'004)), 15u * kCycle) << "it depends on the load";
}

// As in a search: the compared value is missed, and the outcome cannot be predicted.
TEST(Stalls, OfLoadsAfterAMispredictionDoNotOverlap) {
  Stalls stalls(some_costs());
  uint64_t slot = 0;
  for (uint64_t i = 0; i < 1000; ++i) {
    slot += 10;
    stalls.of(load(scattered(i)), at(slot));
    stalls.of_misprediction(at(slot + 3));
  }
  EXPECT_NEAR(static_cast<double>(stalls.retired_at(at(slot))) / 1000 / kCycle, 800 + 15 + 7 / 4.0, 2);
}

TEST(Stalls, OfTimeBetweenEventsAgreeWithTheNextEvent) {
  std::mt19937_64 random(17);
  Stalls stalls(some_costs());
  uint64_t slot = 1000, last = 0;
  for (int i = 0; i < 100'000; ++i) {
    slot += random() % 500;
    uint64_t before = stalls.retired_at(at(slot));
    ASSERT_GE(before, last) << "time goes on";
    uint64_t cost = random() % 3 == 0 ? stalls.of_misprediction(at(slot))
                                      : stalls.of(load(random() >> 30, Level::kL2), at(slot)).cost;
    last = stalls.retired_at(at(slot));
    ASSERT_EQ(last, before + cost) << "at step " << i;
  }
}

TEST(FollowedWalks, AreNotFoundAmongRandomLines) {
  FollowedWalks walks;
  std::mt19937_64 random(1);
  int followed = 0;
  for (int i = 0; i < 100'000; ++i) followed += walks.step_to(random() >> 24, 5, some_costs()) != 0 ? 1 : 0;
  EXPECT_LT(followed, 100);
}

TEST(FollowedWalks, EndAtAPageIfPrefetchersDo) {
  Costs costs = some_costs();
  costs.crosses_pages = false;
  FollowedWalks walks;
  int followed = 0;
  for (uint64_t line = 0; line < 640; ++line) followed += walks.step_to(line, line, costs) == 1 ? 1 : 0;
  EXPECT_EQ(followed, 640 - 3 * 10) << "all but the first three of each page";
}

}  // namespace
}  // namespace hm::model
