// SPDX-License-Identifier: MIT
#include "app/measure/forecast.h"

#include <gtest/gtest.h>

namespace hm::measure {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

pmu::Progress at(uint64_t seconds, uint64_t instructions) {
  pmu::Progress progress;
  progress.elapsed_ns = seconds * kSecond;
  progress.instructions = instructions;
  return progress;
}

TEST(ForecastTest, UsesTheSpeedOfTheLastSeconds) {
  Forecast forecast({1000, 10 * kSecond});
  pmu::Progress slow = at(0, 0), fast = at(10, 100), now = at(14, 500);
  forecast.complete(slow);
  forecast.complete(fast);
  forecast.complete(now);
  EXPECT_EQ(now.part, 0.5);
  EXPECT_EQ(now.remaining_ns, 5 * kSecond);
}

TEST(ForecastTest, ExpectsNoMoreThanTheTimeOfTheEarlierRun) {
  Forecast forecast({1000, 10 * kSecond});
  pmu::Progress begin = at(0, 0), slow = at(4, 10);
  forecast.complete(begin);
  forecast.complete(slow);
  EXPECT_EQ(slow.remaining_ns, 6 * kSecond);
}

TEST(ForecastTest, KnowsNoSpeedAtFirst) {
  Forecast forecast({1000, 10 * kSecond});
  pmu::Progress first = at(1, 10);
  forecast.complete(first);
  EXPECT_EQ(first.part, 0.01);
  EXPECT_FALSE(first.remaining_ns);
}

TEST(ForecastTest, SaysNothingOfARunThatIsLongerThanTheLast) {
  Forecast forecast({1000, 10 * kSecond});
  pmu::Progress early = at(1, 500), late = at(2, 1500);
  forecast.complete(early);
  forecast.complete(late);
  EXPECT_FALSE(late.part);
  EXPECT_FALSE(late.remaining_ns);
}

TEST(ForecastTest, NeedsARecording) {
  EXPECT_FALSE(Forecast::from_recording("/dev/null", {"true"}));
  EXPECT_FALSE(Forecast::from_recording("/no such file", {"true"}));
}

}  // namespace
}  // namespace hm::measure
