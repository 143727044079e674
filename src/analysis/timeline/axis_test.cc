// SPDX-License-Identifier: MIT
#include "analysis/timeline/axis.h"

#include <gtest/gtest.h>

#include "analysis/timeline/gaps.h"
#include "analysis/timeline/history.h"
#include "analysis/timeline/test_profile.h"

namespace hm::timeline {
namespace {

// Two threads; the second waits for the first. Parts of the program take longer on the slowed machine.
Made two_in_turn() {
  Made made;
  const uint64_t times[] = {0, 90, 110, 400, 420, 440};
  for (size_t i = 0; i < 6; ++i) {
    made.sample(times[i], i < 3 ? 'a' : 'b', "", i < 3 ? 0 : 1);
    made.profile.samples.run_cycles.set(i, 1000 * (i + 1));
  }
  return made;
}

TEST(Axis, IsOfModelledCyclesWhereAllSamplesHaveThem) {
  Made made = two_in_turn();
  EXPECT_EQ(Axis(made.profile).unit(), Unit::kCycles);
  EXPECT_EQ(Axis(made.profile).at(2), 3000u);
  made.sample(500, 'a');  // from another PMU
  EXPECT_EQ(Axis(made.profile).unit(), Unit::kNanoseconds);
  EXPECT_EQ(Axis(made.profile).at(2), kMadeStart + 110);
}

TEST(Axis, IsOfTheClockWhereTheCacheWasReadByIt) {
  Made made = two_in_turn();
  made.profile.occupancy.emplace_back();
  EXPECT_EQ(Axis(made.profile).unit(), Unit::kNanoseconds);
}

TEST(Axis, GivesEachFunctionItsModelledTime) {
  Made made = two_in_turn();
  Result<History> history = History::make(made.profile, {.filter = {}, .way = Way::kNone, .counts = {}});
  ASSERT_TRUE(history.ok());
  EXPECT_EQ(history->unit(), Unit::kCycles);
  Result<Timeline> line = history->show({.columns = 5});
  ASSERT_TRUE(line.ok());
  EXPECT_FALSE(line->slowed);
  EXPECT_EQ(line->interval_ns, 1000u);
  ASSERT_EQ(line->functions.size(), 2u);
  EXPECT_EQ(line->functions[0].ns, 3000);  // includes 1000 before the window
  EXPECT_EQ(line->functions[1].ns, 2000);
}

TEST(Axis, PlacesLostSamplesAmongThoseThatCame) {
  Made made = two_in_turn();
  made.profile.gaps.push_back({kMadeStart + 401, kMadeStart + 401, std::nullopt, std::nullopt});
  std::vector<Gap> gaps = find_gaps(made.profile, Axis(made.profile), 1000);
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].when.begin_ns, 3000);
  EXPECT_EQ(gaps[0].when.end_ns, 3000);
}

}  // namespace
}  // namespace hm::timeline
