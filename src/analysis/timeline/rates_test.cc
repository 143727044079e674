// SPDX-License-Identifier: MIT
#include "analysis/timeline/rates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <linux/perf_event.h>

#include "analysis/timeline/history.h"
#include "analysis/timeline/test_profile.h"

namespace hm::timeline {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint64_t kMs = 1'000'000;
const std::optional<double> kNotMeasured;

// 8 ms of clock samples, and a second event.
class MadeOfTwo : public Made {
 public:
  MadeOfTwo() {
    profile.events.push_back({});
    profile.events[1].name = "miss";
    profile.events[1].attr.sample_type = PERF_SAMPLE_TIME;
    for (uint64_t ms = 0; ms <= 8; ++ms) sample(ms * kMs, 'a');
  }

  // Samples of a profile are normally in order of time, but the rates do not depend on the order.
  void miss(uint64_t time_ns, uint64_t period, uint32_t thread = 0) {
    sample(time_ns, 'a', "", thread);
    profile.samples.event.back() = 1;
    profile.samples.period.set(profile.samples.size() - 1, period);
  }
  void gap(uint64_t begin_ns, uint64_t end_ns, std::optional<uint32_t> event) {
    profile.gaps.push_back({kMadeStart + begin_ns, kMadeStart + end_ns, std::nullopt, event});
  }

  // Returns the rate of the second event.
  Rate rate(const Window& window) const {
    HistoryOptions options;
    options.filter.events = {"clock"};
    options.rates = true;
    Result<History> history = History::make(profile, options);
    EXPECT_TRUE(history.ok());
    Result<Timeline> line = history->show(window);
    EXPECT_TRUE(line.ok());
    EXPECT_EQ(line->rates.size(), 2u);
    return line->rates[1];
  }
};

TEST(Rates, AreOfAllThreads) {
  MadeOfTwo made;
  made.miss(1 * kMs, 100);
  made.miss(2 * kMs, 100, 1);
  made.miss(5 * kMs, 300);
  Rate rate = made.rate({.columns = 4});
  EXPECT_EQ(rate.event, "miss");
  EXPECT_EQ(rate.samples, 3u);
  EXPECT_EQ(rate.events, 500);
  EXPECT_THAT(rate.per_billion, ElementsAre(100'000.0, 0.0, 150'000.0, 0.0));
  EXPECT_EQ(rate.max_per_billion, 150'000);
  EXPECT_THAT(rate.gaps, IsEmpty());
}

TEST(Rates, HaveTheVeryFirstSample) {
  MadeOfTwo made;
  made.miss(0, 100);
  made.miss(5 * kMs, 300);
  made.miss(8 * kMs, 20);
  Rate rate = made.rate({.columns = 2});
  EXPECT_EQ(rate.samples, 3u);
  EXPECT_EQ(rate.events, 420);
  EXPECT_THAT(rate.per_billion, ElementsAre(25'000.0, 80'000.0));
}

TEST(Rates, AreOfTheWindow) {
  MadeOfTwo made;
  made.miss(1 * kMs, 100);
  made.miss(5 * kMs, 300);
  Rate rate = made.rate({.from_ns = 4 * kMs, .to_ns = 8 * kMs, .columns = 2});
  EXPECT_EQ(rate.samples, 1u);
  EXPECT_THAT(rate.per_billion, ElementsAre(150'000.0, 0.0));
}

TEST(Rates, OfAShortLastBinAreOfAsLongATime) {
  MadeOfTwo made;
  made.miss(4 * kMs, 100);
  made.miss(7 * kMs, 300);
  Rate rate = made.rate({.bin_ns = 3 * kMs});
  EXPECT_THAT(rate.per_billion, ElementsAre(0.0, 100 / 3e-3, 300 / 3e-3));
}

TEST(Rates, AreNotZeroWhereSamplesWereLost) {
  MadeOfTwo made;
  made.miss(1 * kMs, 100);
  made.gap(4 * kMs, 5 * kMs, 1);
  made.gap(7 * kMs, 8 * kMs, 0);  // a gap of another event
  Rate rate = made.rate({.columns = 4});
  EXPECT_THAT(rate.per_billion, ElementsAre(50'000.0, 0.0, kNotMeasured, 0.0));
  ASSERT_EQ(rate.gaps.size(), 1u);
  EXPECT_EQ(rate.gaps[0].begin_ns, 4 * static_cast<int64_t>(kMs));
}

// The kernel reports the loss at 6.5 ms; the previous sample is at 6 ms.
TEST(Rates, LackWhatWasLostAfterTheLastSample) {
  MadeOfTwo made;
  made.gap(6 * kMs + kMs / 2, 6 * kMs + kMs / 2, std::nullopt);
  Rate rate = made.rate({.columns = 8});
  ASSERT_EQ(rate.gaps.size(), 1u);
  EXPECT_EQ(rate.gaps[0].begin_ns, 6 * static_cast<int64_t>(kMs));
  EXPECT_EQ(rate.per_billion[6], kNotMeasured);
  EXPECT_EQ(rate.per_billion[5], 0.0);
}

TEST(Rates, OfAnEventWithoutTimesAreNotMeasured) {
  MadeOfTwo made;
  made.profile.events[1].attr.sample_type = 0;
  Rate rate = made.rate({.columns = 4});
  EXPECT_THAT(rate.per_billion, ElementsAre(kNotMeasured, kNotMeasured, kNotMeasured, kNotMeasured));
  EXPECT_EQ(rate.max_per_billion, std::nullopt);
}

TEST(Rates, OfAnEventWithoutSamplesAreZero) {
  Rate rate = MadeOfTwo().rate({.columns = 4});
  EXPECT_THAT(rate.per_billion, Each(0.0));
}

TEST(Gaps, ThatAreCloserThanACellAreOne) {
  std::vector<Gap> gaps{{{10, 20}, std::nullopt}, {{25, 30}, std::nullopt}, {{80, 90}, std::nullopt}};
  EXPECT_EQ(gaps_of(gaps, 0, {0, 100, 10}).size(), 2u);
  EXPECT_EQ(gaps_of(gaps, 0, {0, 100, 1}).size(), 3u);
  EXPECT_EQ(gaps_of(gaps, 0, {40, 70, 1}).size(), 0u);
}

}  // namespace
}  // namespace hm::timeline
