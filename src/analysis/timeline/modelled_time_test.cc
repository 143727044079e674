// SPDX-License-Identifier: MIT
#include "profile/time_axis.h"

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

TEST(ModelledTime, GivesEachFunctionItsModelledTime) {
  Made made = two_in_turn();
  Result<History> history = History::make(made.profile, {.filter = {}, .way = Way::kNone, .counts = {}});
  ASSERT_TRUE(history.ok());
  EXPECT_EQ(history->unit(), profile::TimeUnit::kCycles);
  Result<Timeline> line = history->show({.columns = 5});
  ASSERT_TRUE(line.ok());
  EXPECT_FALSE(line->slowed);
  EXPECT_EQ(line->interval_ns, 1000u);
  ASSERT_EQ(line->functions.size(), 2u);
  EXPECT_EQ(line->functions[0].ns, 3000);  // includes 1000 before the window
  EXPECT_EQ(line->functions[1].ns, 2000);
}

// One thread runs all the time, first in a, then as long in b, while the software PMU's period grows from 10
// to 160 cycles.
Made made_with_growing_periods() {
  Made made;
  made.profile.events[0].attr.type = PERF_TYPE_RAW;
  uint64_t cycles = 0;
  const auto sample_until = [&](uint64_t end, char function) {
    while (cycles < end) {
      uint64_t period = cycles < 1'000 ? 10 : cycles < 4'000 ? 40 : 160;
      cycles += period;
      size_t row = made.profile.samples.size();
      made.sample(cycles, function);
      made.profile.samples.period.set(row, period);
      made.profile.samples.run_cycles.set(row, cycles);
    }
  };
  sample_until(8'000, 'a');
  sample_until(16'000, 'b');
  return made;
}

TEST(ModelledTime, GivesSamplesTheTimeOfTheirOwnPeriods) {
  Made made = made_with_growing_periods();
  Result<History> history = History::make(made.profile, {.filter = {}, .way = Way::kNone, .counts = {}});
  ASSERT_TRUE(history.ok());
  Result<Timeline> line = history->show({.columns = 5});
  ASSERT_TRUE(line.ok());
  ASSERT_EQ(line->functions.size(), 2u);
  EXPECT_EQ(line->functions[0].ns + line->functions[1].ns, 15'990)
      << "from the first sample on, without a hole";
  EXPECT_NEAR(line->functions[1].ns, 8'000, 160);
}

TEST(ModelledTime, HasGrowingPeriodsOfMissesWithoutHoles) {
  Made made = made_with_growing_periods();
  made.profile.events[0].name = "l1_cache_miss";  // one in 7 cycles
  for (size_t i = 0; i < made.profile.samples.size(); ++i)
    made.profile.samples.period.set(i, made.profile.samples.period.at(i).value_or(0) / 7);
  Result<History> history = History::make(made.profile, {.filter = {}, .way = Way::kNone, .counts = {}});
  ASSERT_TRUE(history.ok());
  Result<Timeline> line = history->show({.columns = 5});
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->functions[0].ns + line->functions[1].ns, 15'990);
}

TEST(ModelledTime, PlacesLostSamplesAmongThoseThatCame) {
  Made made = two_in_turn();
  made.profile.gaps.push_back({kMadeStart + 401, kMadeStart + 401, std::nullopt, std::nullopt});
  std::vector<Gap> gaps = find_gaps(made.profile, profile::TimeAxis(made.profile), 1000);
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].when.begin_ns, 3000);
  EXPECT_EQ(gaps[0].when.end_ns, 3000);
}

}  // namespace
}  // namespace hm::timeline
