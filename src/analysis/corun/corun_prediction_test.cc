// SPDX-License-Identifier: MIT
#include "analysis/corun/corun_prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "analysis/corun/test_programs.h"

namespace hm::corun {
namespace {

using ::testing::HasSubstr;

constexpr model::SizeRange kRange{64, 3, 16};
constexpr model::SetGeometry kCache{128, 8};  // 1024 lines
constexpr size_t kAccesses = 400'000;

using Stream = std::vector<uint64_t>;

// Cycles through consecutive lines.
Stream around(uint64_t lines) {
  Stream stream(kAccesses);
  for (size_t i = 0; i < stream.size(); ++i) stream[i] = i % lines;
  return stream;
}

// Random accesses; half of them go to an eighth of the lines.
Stream at_random(uint64_t lines, uint64_t seed) {
  std::mt19937_64 random(seed);
  Stream stream(kAccesses);
  for (uint64_t& line : stream) line = random() % (random() % 2 == 0 ? lines : lines / 8);
  return stream;
}

// Uses each line once.
Stream straight_on() {
  Stream stream(kAccesses);
  for (size_t i = 0; i < stream.size(); ++i) stream[i] = i;
  return stream;
}

// `even`: consecutive lines are spread more evenly over the sets than the model assumes, so only the interval
// is checked.
void expect_as_simulated(const Stream& a, const Stream& b, bool even = false) {
  Result<Corun> corun = predict({program_of("a", a, kRange), program_of("b", b, kRange)}, {kCache, 64, 0});
  ASSERT_TRUE(corun) << corun.error().message;
  std::vector<double> together = simulate_together({&a, &b}, kCache);
  for (const Member& member : corun->pairs.at(0).members) {
    double extra = together[member.program] - member.alone;
    EXPECT_LE(member.extra.low, extra + 1) << member.program;
    EXPECT_GE(member.extra.high, extra - 1) << member.program;
    if (!even) {
      EXPECT_NEAR(member.extra.value, extra, std::max(1.0, extra / 5)) << member.program;
    }
  }
}

TEST(Corun, SmallOnesFit) { expect_as_simulated(around(300), around(400), true); }
TEST(Corun, LoopsThatDoNotFitTogetherMissAll) { expect_as_simulated(around(700), around(800)); }
TEST(Corun, RandomOnesGiveWay) { expect_as_simulated(at_random(900, 1), at_random(900, 2)); }
TEST(Corun, OneThatUsesEachLineOnceCostsTheOther) { expect_as_simulated(at_random(800, 1), straight_on()); }

TEST(Corun, RatesWeigh) {
  Program a = program_of("a", at_random(600, 1), kRange), b = program_of("b", at_random(600, 2), kRange);
  double even = predict({a, b}, {kCache, 64, 0})->pairs[0].members[0].extra.value;
  b.sizes.cycles *= 10;  // a tenth of the access rate
  Result<Corun> slow = predict({a, b}, {kCache, 64, 0});
  EXPECT_TRUE(slow->rates_known);
  EXPECT_LT(slow->pairs[0].members[0].extra.value, even / 2);
  b.sizes.cycles = 0;
  Result<Corun> unknown = predict({a, b}, {kCache, 64, 0});
  EXPECT_FALSE(unknown->rates_known);
  EXPECT_DOUBLE_EQ(unknown->pairs[0].members[0].extra.value, even);
}

TEST(Corun, TheGreatestExtraMissesComeFirst) {
  Program small = program_of("small", around(64), kRange),
          large = program_of("large", at_random(900, 1), kRange),
          other = program_of("other", at_random(900, 2), kRange);
  Result<Corun> corun = predict({small, large, other}, {kCache, 64, 0});
  ASSERT_EQ(corun->pairs.size(), 3u);
  EXPECT_EQ(corun->pairs[0].members[0].program, 1u);
  EXPECT_EQ(corun->pairs[0].members[1].program, 2u);
  EXPECT_FALSE(corun->placement);
}

TEST(Corun, LargeOnesArePlacedApart) {
  std::vector<Program> programs = {
      program_of("large", at_random(900, 1), kRange), program_of("other", at_random(900, 2), kRange),
      program_of("small", around(64), kRange), program_of("tiny", around(32), kRange)};
  Result<Corun> corun = predict(programs, {kCache, 64, 2});
  ASSERT_TRUE(corun->placement);
  EXPECT_NE(corun->placement->caches[0] == std::vector<size_t>({0, 1}), true);
  EXPECT_EQ(corun->placement->caches.size(), 2u);
  EXPECT_LT(corun->placement->extra, corun->placement->extra_of_worst / 2);
}

TEST(Corun, SaysWhatIsMissing) {
  Program known = program_of("known", around(64), kRange), bare = known;
  EXPECT_THAT(predict({known}, {kCache, 64, 0}).error().message, HasSubstr("only one recording"));
  bare.name = "bare.data";
  bare.sizes.reuses.reset();
  EXPECT_THAT(predict({known, bare}, {kCache, 64, 0}).error().message,
              HasSubstr("bare.data has no reuse distances: record it with --sizes"));
  Program idle = known;
  idle.name = "idle.data";
  idle.sizes.accesses = 0;
  EXPECT_THAT(predict({known, idle}, {kCache, 64, 0}).error().message,
              HasSubstr("idle.data has no data accesses"));
  EXPECT_THAT(predict({known, known}, {{4096, 8}, 64, 0}).error().message,
              HasSubstr("record with --sizes=64-4096,16"));
  EXPECT_THAT(predict({known, known}, {kCache, 128, 0}).error().message, HasSubstr("lines of 128"));
  EXPECT_THAT(predict(std::vector<Program>(13, known), {kCache, 64, 2}).error().message,
              HasSubstr("at most 12"));
}

TEST(Corun, SetsThatAreNoPowerOfTwoAreTheNearestCacheOfThatSize) {
  Program known = program_of("known", around(64), kRange);
  Result<Corun> corun = predict({known, known}, {{192, 8}, 64, 0});
  ASSERT_TRUE(corun);
  EXPECT_EQ(corun->cache.sets, 128u);
  EXPECT_EQ(corun->cache.ways, 12u);
}

}  // namespace
}  // namespace hm::corun
