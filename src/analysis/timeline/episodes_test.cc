// SPDX-License-Identifier: MIT
#include "analysis/timeline/episodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "analysis/timeline/history.h"

namespace hm::timeline {
namespace {

using ::testing::ElementsAre;

constexpr uint64_t kTick = 100'000;

// One thread with a sample every 100 us; functions are identified by number.
class Program {
 public:
  explicit Program(size_t functions) {
    profile_.events.resize(2);
    profile_.events[0].name = "clock";
    profile_.events[1].name = "miss";
    profile_.dsos.resize(1);
    for (uint32_t i = 0; i < functions; ++i) {
      profile_.functions.push_back({.dso = 0, .name = "f" + std::to_string(i), .start = 0, .size = 0});
      profile_.locations.push_back({.dso = 0, .offset = 0, .function = i, .address = 0});
    }
    profile_.threads.push_back({.pid = 7, .tid = 7, .comm = "run"});
  }
  void sample(uint32_t function, uint32_t event = 0) {
    profile::Samples& samples = profile_.samples;
    if (event == 0) time_ += kTick;
    samples.time_ns.set(samples.size(), time_);
    samples.event.push_back(event);
    samples.thread.push_back(0);
    samples.location.push_back(function);
  }
  [[nodiscard]] std::vector<Episode> episodes(std::vector<std::string> counts = {}) const {
    HistoryOptions options;
    options.filter.events = {"clock"};
    options.counts = std::move(counts);
    Result<History> history = History::make(profile_, options);
    EXPECT_TRUE(history.ok());
    return find_episodes(history->source(), By::kThread);
  }

 private:
  profile::Profile profile_;
  uint64_t time_ = 0;
};

TEST(Episodes, OfAMillisecondInTenSecondsAreFoundAndNamed) {
  Program run(4);
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    bool is_episode = i >= 42'000 && i < 42'010;
    run.sample(is_episode ? 3u : static_cast<uint32_t>(random() % 3));
  }
  std::vector<Episode> found = run.episodes();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(static_cast<double>(found[0].begin_ns), 42'000.0 * kTick, 2.0 * kTick);
  EXPECT_NEAR(static_cast<double>(found[0].end_ns - found[0].begin_ns), 1e6, 4.0 * kTick);
  ASSERT_EQ(found[0].unusual.size(), 1u);
  EXPECT_EQ(found[0].unusual[0].name, "f3");
  EXPECT_GT(found[0].unusual[0].during, 0.6);
  EXPECT_EQ(found[0].unusual[0].usual, 0);
  EXPECT_THAT(found[0].lanes, ElementsAre("7 run"));
  EXPECT_EQ(found[0].before.size(), 3u) << "f0, f1 and f2";
  EXPECT_LT(found[0].chance, 1e-6);
}

// The phase is four times as long as the longest window.
TEST(Episodes, OfAPhaseAreOne) {
  Program run(4);
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    bool is_phase = i >= 40'000 && i < 46'000 && random() % 2 == 0;
    run.sample(is_phase ? 3u : static_cast<uint32_t>(random() % 3));
  }
  std::vector<Episode> found = run.episodes();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_GT(found[0].end_ns - found[0].begin_ns, 3'000 * kTick);
  EXPECT_GE(found[0].begin_ns, 39'900 * kTick);
  EXPECT_LE(found[0].end_ns, 46'100 * kTick);
  EXPECT_NEAR(found[0].unusual[0].during, 0.5, 0.05);
}

TEST(Episodes, OfAnEventAreWhereItIsCountedMoreOften) {
  Program run(2);
  std::mt19937 random(2);
  for (int i = 0; i < 20'000; ++i) {
    run.sample(random() % 2);
    bool is_episode = i >= 9'000 && i < 9'030;
    if (is_episode || random() % 10 == 0) run.sample(0, 1);
  }
  std::vector<Episode> found = run.episodes({"miss"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].unusual[0].name, "miss");
  EXPECT_TRUE(found[0].unusual[0].is_event);
  EXPECT_NEAR(found[0].unusual[0].during, 10'000, 3'000) << "in a second";
  EXPECT_TRUE(run.episodes().empty()) << "the functions are as ever";
}

TEST(Episodes, AreNotHowAProgramStartsAndEnds) {
  Program run(4);
  for (int i = 0; i < 20'000; ++i) run.sample(i < 50 ? 2 : i >= 19'950 ? 3 : i % 2);
  EXPECT_TRUE(run.episodes().empty());
}

// A hundred programs without episodes: their functions run for random times, each at least about 25 times.
TEST(Episodes, AreRarelyFoundWhereThereAreNone) {
  size_t alarms = 0;
  for (uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    Program run(40);
    std::geometric_distribution<int> stay(1.0 / (2 + seed % 20));
    for (int i = 0; i < 20'000;) {
      auto now = static_cast<uint32_t>(random() % 40);
      for (int k = stay(random) + 1; k > 0 && i < 20'000; --k, ++i) run.sample(now);
    }
    alarms += run.episodes().empty() ? 0 : 1;
  }
  EXPECT_LE(alarms, 3u);
}

}  // namespace
}  // namespace hm::timeline
