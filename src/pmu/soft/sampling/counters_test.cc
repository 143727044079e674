// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/counters.h"

#include <gtest/gtest.h>

#include <random>

namespace hm::soft {
namespace {

constexpr EventId kEvent = EventId::kL1CacheMiss;

Session session_with(uint64_t period, bool jitter) {
  Session session{};
  session.jitter = jitter ? 1 : 0;
  session.events[index_of(kEvent)] = {1, 1, 42, period};
  return session;
}

Counters counters_with(uint64_t period, bool jitter) {
  Counters counters;
  Session session = session_with(period, jitter);
  counters.configure(session);
  return counters;
}

struct Taken {
  uint64_t samples = 0;
  uint64_t sum = 0;
  uint64_t shortest = ~uint64_t{0};
  uint64_t longest = 0;
};

Taken take(Counters& counters, uint64_t steps, uint64_t step = 1) {
  Taken taken;
  for (uint64_t i = 0; i < steps; ++i) {
    if (!counters.add(kEvent, step)) continue;
    uint64_t period = counters.finish_period(kEvent);
    ++taken.samples;
    taken.sum += period;
    taken.shortest = std::min(taken.shortest, period);
    taken.longest = std::max(taken.longest, period);
  }
  return taken;
}

TEST(Counters, WithoutJitterASampleEveryPeriod) {
  for (uint64_t period : {1, 2, 7, 16, 1000}) {
    Counters counters = counters_with(period, false);
    Taken taken = take(counters, 12345);
    EXPECT_EQ(taken.samples, 12345 / period);
    EXPECT_EQ(taken.sum, taken.samples * period);
    EXPECT_EQ(counters.total(kEvent), 12345u);
  }
}

TEST(Counters, StepsThatPassAPeriodsEndCountInTheNext) {
  Counters counters = counters_with(10, false);
  Taken taken = take(counters, 1000, 3);
  EXPECT_EQ(taken.samples, 300u);
  EXPECT_EQ(taken.sum, 3000u);
  EXPECT_EQ(counters.total(kEvent), 3000u);
}

TEST(Counters, AStepOverSeveralPeriodsIsOneSampleForAll) {
  Counters counters = counters_with(10, false);
  ASSERT_TRUE(counters.add(kEvent, 35));
  EXPECT_EQ(counters.finish_period(kEvent), 30u);
  EXPECT_EQ(counters.total(kEvent), 35u);
  EXPECT_FALSE(counters.add(kEvent, 4));
  EXPECT_TRUE(counters.add(kEvent, 1));
  EXPECT_EQ(counters.finish_period(kEvent), 10u);
}

TEST(Counters, JitterStaysWithinAHalfAndItsMeanIsThePeriod) {
  constexpr uint64_t kPeriod = 1600, kSteps = 16'000'000;
  Counters counters = counters_with(kPeriod, true);
  Taken taken = take(counters, kSteps);
  EXPECT_GE(taken.shortest, kPeriod / 2);
  EXPECT_LE(taken.longest, kPeriod + kPeriod / 2);
  EXPECT_LT(taken.shortest, kPeriod / 2 + 10);
  EXPECT_GT(taken.longest, kPeriod + kPeriod / 2 - 10);
  EXPECT_NEAR(static_cast<double>(taken.samples), 10000, 120);  // 4 standard deviations
  EXPECT_LE(taken.sum, kSteps);
  EXPECT_LE(kSteps - taken.sum, kPeriod + kPeriod / 2);
}

TEST(Counters, ShortPeriodsHaveJitter) {
  Counters counters = counters_with(2, true);
  Taken taken = take(counters, 20000);
  EXPECT_NEAR(static_cast<double>(taken.samples), 10000, 170);  // 4 standard deviations
  EXPECT_EQ(taken.shortest, 1u);
  EXPECT_EQ(taken.longest, 3u);
}

// A loop in which every `other` of `loop` events is of another function. Returns its share by the samples.
double share_in_a_loop(uint64_t period, uint64_t loop, uint64_t other) {
  Counters counters = counters_with(period, true);
  uint64_t all = 0, of_other = 0;
  for (uint64_t i = 0; i < 2'000 * period; ++i) {
    if (!counters.add(kEvent, 1)) continue;
    uint64_t weight = counters.finish_period(kEvent);
    all += weight;
    if (i % loop < other) of_other += weight;
  }
  return static_cast<double>(of_other) / static_cast<double>(all);
}

// Four standard deviations of a share are 3.9 % with 2,000 independent samples, 4.8 % with the largest
// correlation.
TEST(Counters, SamplesDoNotResonateWithALoop) {
  for (uint64_t period : {10, 20, 1000}) {
    for (uint64_t part : {1, 2, 3, 5, 8}) {
      for (uint64_t longer : {10, 11, 12, 14, 20, 30}) {
        uint64_t loop = period * longer / part;
        if (loop < 4) continue;
        uint64_t other = loop / 4;
        double expected = static_cast<double>(other) / static_cast<double>(loop);
        EXPECT_NEAR(share_in_a_loop(period, loop, other), expected, 0.055) << period << ' ' << loop;
      }
    }
  }
}

// Threads that end within a period are sampled as often as their events require.
TEST(Counters, ShortThreadsAreSampled) {
  for (auto [grows, events] : {std::pair(false, 300), {true, 300}, {false, 1000}, {false, 1500}}) {
    Session session = session_with(1000, true);
    session.thinning.on = grows ? 1 : 0;
    uint64_t represented = 0;
    for (int thread = 0; thread < 40'000; ++thread) {
      Counters counters;
      counters.configure(session);
      represented += take(counters, static_cast<uint64_t>(events)).sum;
    }
    // Four standard deviations, of 40,000 threads.
    EXPECT_NEAR(static_cast<double>(represented) / (40'000.0 * events), 1, events == 300 ? 0.035 : 0.02)
        << grows << ' ' << events;
  }
}

TEST(Counters, ConfiguringAgainStartsTheSameSequenceFromZero) {
  Counters counters = counters_with(1000, true);
  Taken first = take(counters, 123456);
  Session session = session_with(1000, true);
  counters.configure(session);
  EXPECT_EQ(counters.total(kEvent), 0u);
  Taken second = take(counters, 123456);
  EXPECT_EQ(first.sum, second.sum);
}

TEST(Counters, StoppedSamplingGoesOnCounting) {
  Counters counters = counters_with(10, false);
  take(counters, 25);
  counters.stop_sampling();
  EXPECT_FALSE(counters.sampled(kEvent));
  EXPECT_EQ(take(counters, 1000).samples, 0u);
  EXPECT_EQ(counters.total(kEvent), 1025u);
}

TEST(Counters, WhatIsNotSampledIsOnlyCounted) {
  Session session = session_with(10, false);
  session.events[index_of(kEvent)].sampled = 0;
  Counters counters;
  counters.configure(session);
  EXPECT_TRUE(counters.counted(kEvent));
  EXPECT_FALSE(counters.counted(EventId::kClock));
  EXPECT_EQ(take(counters, 100000).samples, 0u);
  EXPECT_EQ(counters.total(kEvent), 100000u);
  EXPECT_EQ(counters.id(kEvent), 42u);
}

// An engine may decrement a counter itself, and call only when a sample is due.
TEST(Counters, MayBeCountedDownInPlace) {
  Counters counters = counters_with(7, false);
  uint64_t samples = 0;
  for (int i = 0; i < 100; ++i) {
    if (--*counters.remaining(kEvent) > 0) continue;
    EXPECT_EQ(counters.finish_period(kEvent), 7u);
    ++samples;
  }
  EXPECT_EQ(samples, 14u);
  EXPECT_EQ(counters.total(kEvent), 100u);
}

TEST(Counters, PeriodsGrowWithTheSamplesThatAllThreadsTook) {
  Session session = session_with(10, false);
  session.thinning.on = 1;
  Counters first, second;
  first.configure(session);
  Taken taken = take(first, 10 * kSamplesOfFirstPeriod);
  EXPECT_EQ(taken.samples, kSamplesOfFirstPeriod);
  EXPECT_EQ(taken.longest, 10u);
  second.configure(session);
  taken = take(second, 10'000);
  EXPECT_NEAR(static_cast<double>(taken.samples), 500, 1);
  EXPECT_EQ(taken.longest, 20u);
  take(first, 20 * kSamplesPerDoubling);
  EXPECT_EQ(take(first, 4000).shortest, 40u);
}

TEST(Counters, SamplesOfALongRunAreFew) {
  constexpr uint64_t kSteps = 10'000'000, kStep = 100;
  Session session = session_with(1000, true);
  session.thinning.on = 1;
  Counters counters;
  counters.configure(session);
  Taken taken = take(counters, kSteps / 100, kStep);  // 10 million events
  EXPECT_NEAR(static_cast<double>(taken.samples), 8'000, 1'000);
  taken = take(counters, kSteps, kStep);
  EXPECT_LT(taken.samples, 15'000u);
  EXPECT_NEAR(static_cast<double>(taken.sum), static_cast<double>(kSteps * kStep), 600'000);
}

TEST(Counters, AnEventHasAtMostTwentyThousandSamples) {
  uint64_t samples = 0, first_periods = 0;
  for (; samples < 20'000; ++samples) first_periods += uint64_t{1} << doublings_after(samples);
  EXPECT_GT(first_periods, 32'000'000u);
}

// Each thread has a tenth of a period's events.
TEST(Counters, ThreadsShorterThanAPeriodAreSampledAsOftenAsOthers) {
  constexpr uint64_t kThreads = 100'000, kEvents = 100, kPeriod = 1000;
  Session session = session_with(kPeriod, false);
  session.thinning.on = 1;
  uint64_t estimated = 0;
  for (uint64_t i = 0; i < kThreads; ++i) {
    Counters counters;
    counters.configure(session);
    estimated += take(counters, kEvents).sum;
    EXPECT_EQ(counters.total(kEvent), kEvents);
  }
  EXPECT_NEAR(static_cast<double>(estimated), static_cast<double>(kThreads * kEvents),
              0.03 * kThreads * kEvents);
}

TEST(Counters, TheGreatestPeriodNeverEnds) {
  Counters counters = counters_with(~uint64_t{0}, true);
  EXPECT_EQ(take(counters, 1000).samples, 0u);
  EXPECT_EQ(counters.total(kEvent), 1000u);
}

}  // namespace
}  // namespace hm::soft
