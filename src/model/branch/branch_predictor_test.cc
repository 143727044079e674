// SPDX-License-Identifier: MIT
#include "model/branch/branch_predictor.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>
#include <vector>

#include "model/test_storage.h"

namespace hm::model {
namespace {

struct Predictor {
  Predictor() : built(streaks.data()) {}
  BranchPredictor& get() { return built.object; }

  std::vector<uint16_t> streaks = std::vector<uint16_t>(kBranchStreaks);
  InStorage<BranchPredictor> built;
};

// Returns the share of wrong predictions among the last `counted` of `branches` conditional branches.
// outcome(i) gives the branch's address and whether it is taken.
double wrong_share(int branches, int counted, const std::function<std::pair<uint64_t, bool>(int)>& outcome) {
  Predictor predictor;
  int wrong = 0;
  for (int i = 0; i < branches; ++i) {
    auto [ip, taken] = outcome(i);
    bool right = predictor.get().conditional(ip, taken);
    if (i >= branches - counted && !right) ++wrong;
  }
  return static_cast<double>(wrong) / counted;
}

TEST(BranchPredictor, KnowsLoopsOfFewIterations) {
  for (int iterations : {2, 5, 17, 30}) {
    double wrong = wrong_share(40000, 10000, [&](int i) {
      return std::pair{uint64_t{0x401000}, i % iterations != 0};
    });
    EXPECT_LT(wrong, 0.01) << iterations;
  }
}

TEST(BranchPredictor, MissesTheEndOfLongLoops) {
  double wrong = wrong_share(400000, 100000, [](int i) {
    return std::pair{uint64_t{0x401000}, i % 1000 != 999};
  });
  EXPECT_NEAR(wrong, 0.001, 0.0002);
}

TEST(BranchPredictor, KnowsABranchThatRepeatsAnEarlierOne) {
  std::mt19937_64 random(3);
  bool first = false;
  double wrong = wrong_share(80000, 20000, [&](int i) {
    if (i % 8 == 0) first = random() % 2 != 0;
    bool taken = i % 8 == 0 || i % 8 == 6 ? first : i % 8 % 2 != 0;
    return std::pair{uint64_t{0x401000} + 16 * static_cast<uint64_t>(i % 8), taken};
  });
  EXPECT_NEAR(wrong, 0.5 / 8, 0.01) << "only the first of eight cannot be known";
}

TEST(BranchPredictor, CannotKnowRandomOutcomes) {
  for (double share : {0.5, 0.1}) {
    std::mt19937_64 random(7);
    std::bernoulli_distribution is_taken(share);
    double wrong = wrong_share(200000, 100000, [&](int) {
      return std::pair{uint64_t{0x401000}, is_taken(random)};
    });
    EXPECT_GT(wrong, share * 0.97);
    EXPECT_LT(wrong, share * 1.35);
  }
}

TEST(BranchPredictor, KnowsManyBiasedBranchesInRandomOrder) {
  std::mt19937_64 random(9);
  double wrong = wrong_share(2000000, 100000, [&](int) {
    uint64_t ip = 0x401000 + 6 * (random() % 2000);
    return std::pair{ip, ip % 4 == 0};
  });
  EXPECT_LT(wrong, 0.01);
}

// Compares the predictions of streaks with a count of all outcomes.
TEST(BranchStreaks, ExpectsWhatHasHappenedLong) {
  using Expected = BranchStreaks::Expected;
  std::vector<uint16_t> entries(kBranchStreaks);
  BranchStreaks streaks(entries.data());
  std::map<uint64_t, std::pair<bool, int>> slow;  // last outcome, and how often it was the same
  std::mt19937_64 random(5);
  int known = 0;
  for (int i = 0; i < 300000; ++i) {
    uint64_t ip = 0x401000 + 5 * (random() % 50);
    bool taken = (random() % 200 == 0) != (ip % 2 == 0);
    auto& [last, count] = slow[ip];
    Expected expected = count < BranchStreaks::kLong ? Expected::kUnknown
                        : last                       ? Expected::kTaken
                                                     : Expected::kNotTaken;
    bool inline_match = streaks.is_long(ip, taken);
    ASSERT_EQ(inline_match, expected == (taken ? Expected::kTaken : Expected::kNotTaken)) << "at step " << i;
    ASSERT_EQ(streaks.count(ip, taken), expected) << "at step " << i;
    count = count != 0 && last == taken ? count + 1 : 1;
    last = taken;
    if (expected != Expected::kUnknown) ++known;
  }
  EXPECT_GT(known, 30000);
}

TEST(BranchStreaks, TellApartBranchesThatShareAnEntry) {
  std::vector<uint16_t> entries(kBranchStreaks);
  BranchStreaks streaks(entries.data());
  uint64_t one = 0x401000, other = one;
  do other += kBranchStreaks;
  while (BranchStreaks::index_of(other) != BranchStreaks::index_of(one));
  for (int i = 0; i < 100; ++i) streaks.count(one, true);
  EXPECT_EQ(streaks.count(other, true), BranchStreaks::Expected::kUnknown);
  EXPECT_EQ(streaks.count(one, true), BranchStreaks::Expected::kUnknown) << "the other has taken its entry";
}

TEST(BranchHistory, MixesOnlyTheLastOutcomes) {
  std::mt19937_64 random(11);
  for (unsigned length : {1u, 5u, 63u, 64u, 65u, 112u, 128u}) {
    BranchHistory one, other, flipped;
    for (unsigned i = 0; i < 200; ++i) other.add(random() % 2 != 0);
    unsigned flip = static_cast<unsigned>(random() % length);
    for (unsigned i = 0; i < length; ++i) {
      bool bit = random() % 2 != 0;
      one.add(bit);
      other.add(bit);
      flipped.add(bit != (i == flip));
    }
    EXPECT_EQ(one.mixed(length, 0x401000), other.mixed(length, 0x401000)) << length;
    EXPECT_NE(one.mixed(length, 0x401000), flipped.mixed(length, 0x401000)) << length;
    EXPECT_NE(one.mixed(length, 0x401000), one.mixed(length, 0x401001)) << length;
  }
}

TEST(BranchPredictor, KnowsTheOnlyTargetOfAPlace) {
  Predictor predictor;
  EXPECT_FALSE(predictor.get().indirect(0x401000, 0x500000));
  int wrong = 0;
  for (int i = 0; i < 1000; ++i) wrong += predictor.get().indirect(0x401000, 0x500000) ? 0 : 1;
  EXPECT_EQ(wrong, 0);
}

TEST(BranchPredictor, KnowsTargetsThatFollowOneAnother) {
  Predictor predictor;
  constexpr uint64_t kProgram[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3};
  int wrong = 0;
  for (int i = 0; i < 40000; ++i) {
    uint64_t target = 0x500000 + 0x40 * kProgram[static_cast<size_t>(i) % std::size(kProgram)];
    bool right = predictor.get().indirect(0x401000, target);
    if (i >= 20000 && !right) ++wrong;
  }
  EXPECT_LT(wrong, 200) << "of 20000, as of an interpreter's jump to the next instruction";
}

TEST(BranchPredictor, CannotKnowRandomTargets) {
  Predictor predictor;
  std::mt19937_64 random(13);
  int wrong = 0;
  for (int i = 0; i < 40000; ++i) wrong += predictor.get().indirect(0x401000, 64 * (random() % 4)) ? 0 : 1;
  EXPECT_NEAR(wrong, 30000, 1500);
}

TEST(BranchPredictor, ReturnsMatchCallsAsDeepAsItsStack) {
  Predictor owned;
  constexpr uint64_t kDepth = BranchPredictor::kReturns + 4;
  for (uint64_t i = 1; i <= kDepth; ++i) owned.get().call(i);
  for (uint64_t i = kDepth; i >= 1; --i) EXPECT_EQ(owned.get().ret(i), i > 4) << i;
}

TEST(BranchPredictor, ReturnsWithoutCallsMeetOldAddresses) {
  Predictor owned;
  constexpr uint64_t kDepth = BranchPredictor::kReturns;
  for (uint64_t i = 0; i < 3 * kDepth; ++i) EXPECT_TRUE(owned.get().ret(0)) << "no call has happened";
  for (uint64_t i = 1; i <= kDepth; ++i) owned.get().call(i);
  for (int round = 0; round < 3; ++round) {
    for (uint64_t i = kDepth; i >= 1; --i) EXPECT_TRUE(owned.get().ret(i)) << i;
  }
}

// Compares the circular stack with an array and an index that is never negative.
TEST(BranchPredictor, PredictsReturnsAsAnArrayOfTheLastCallsDoes) {
  Predictor owned;
  constexpr uint32_t kDepth = BranchPredictor::kReturns;
  std::vector<uint64_t> slow(kDepth);
  uint32_t calls = 1u << 30;
  std::mt19937_64 random(17);
  int right = 0;
  for (int i = 0; i < 100000; ++i) {
    bool deeper = i / 100 % 2 == 0;
    if ((random() % 4 != 0) == deeper) {
      uint64_t address = random() % 8;
      owned.get().call(address);
      slow[++calls % kDepth] = address;
    } else {
      uint64_t expected = slow[calls-- % kDepth], target = random() % 8 == 0 ? 9 : expected;
      ASSERT_EQ(owned.get().ret(target), target == expected) << i;
      right += target == expected ? 1 : 0;
    }
  }
  EXPECT_GT(right, 30000);
}

}  // namespace
}  // namespace hm::model
