// SPDX-License-Identifier: MIT
#include "analysis/occupancy/occupancy_over_time.h"

#include <gtest/gtest.h>

#include <random>

namespace hm::occupancy {
namespace {

using profile::Profile;

constexpr uint64_t kCacheBytes = 1 << 20, kTenthNs = 100'000'000, kOriginNs = 7'000'000'000;
constexpr uint32_t kVictim = 10, kNeighbour = 20, kChild = 11;

// Two programs with readings ten times per second, and the misses of the first one.
class OverTimeTest : public ::testing::Test {
 protected:
  OverTimeTest() {
    profile.events = {{"l3_cache_miss", {}}};
    profile.features.caches = {{2, 64, 512, 8, "Unified", "256K", "0"},
                               {3, 64, 1024, 16, "Unified", "1024K", "0"}};
    profile.threads = {{kVictim, kVictim, "web"}, {kNeighbour, kNeighbour, "batch"}, {kChild, kChild, "web"}};
    profile.dsos.resize(2);
    profile.dsos[1].path = "/bin/web";
    profile.functions = {{1, "quiet", 0, 0}, {1, "loud", 0, 0}};
    profile.locations = {{1, 0, 0, 0}, {1, 8, 1, 8}};
    for (auto [name, pid] : {std::pair{"web", kVictim}, {"batch", kNeighbour}})
      profile.occupancy.push_back({name, pid, true, kCacheBytes, {}});
  }

  // Adds a tenth of a second with `misses` misses in a function; `own` and `others` are the bytes held at its
  // end.
  void tenth(std::optional<uint64_t> own, uint64_t others, uint64_t misses, uint32_t location = 1,
             uint32_t thread = 0) {
    for (uint64_t i = 0; i < misses; ++i) {
      size_t row = profile.samples.size();
      profile.samples.event.push_back(0);
      profile.samples.thread.push_back(thread);
      profile.samples.location.push_back(location);
      profile.samples.time_ns.set(row, now_ns + 1 + i);
      profile.samples.period.set(row, 10);
    }
    now_ns += kTenthNs;
    read(own, others);
  }
  void read(std::optional<uint64_t> own, uint64_t others) {
    profile.occupancy[0].points.push_back({now_ns, own, std::nullopt});
    profile.occupancy[1].points.push_back({now_ns, others, 5000});
  }

  Profile profile;
  uint64_t now_ns = kOriginNs;
};

TEST_F(OverTimeTest, NothingWhereNothingWasRecorded) {
  EXPECT_EQ(held_over_time(Profile{}, 4), std::nullopt);
}

TEST_F(OverTimeTest, TellsMeanMostAndCells) {
  read(1000, 0);
  tenth(3000, 0, 0);
  tenth(std::nullopt, 0, 0);
  tenth(2000, 0, 0);
  std::optional<OverTime> over = held_over_time(profile, 4);
  ASSERT_TRUE(over);
  EXPECT_TRUE(over->is_modelled);
  EXPECT_EQ(over->begin_ns, 0u);
  EXPECT_EQ(over->end_ns, 3 * kTenthNs);
  const Held& web = over->held[0];
  EXPECT_EQ(web.readings, 4u);
  EXPECT_EQ(web.measured, 3u);
  EXPECT_EQ(web.mean_bytes, 2000);
  EXPECT_EQ(web.max_bytes, 3000u);
  EXPECT_EQ(web.max_at_ns, kTenthNs);
  EXPECT_EQ(web.cells, (std::vector<std::optional<double>>{1000, 3000, std::nullopt, 2000}));
  EXPECT_EQ(web.mean_bytes_per_s, std::nullopt);
  EXPECT_EQ(over->held[1].mean_bytes_per_s, 5000);
}

TEST_F(OverTimeTest, APartOfTheTimeCanBeChosen) {
  read(1000, 0);
  for (uint64_t held : {2000, 3000, 4000}) tenth(held, 0, 0);
  std::optional<OverTime> over = held_over_time(profile, 2, {kTenthNs, 2 * kTenthNs});
  EXPECT_EQ(over->held[0].cells, (std::vector<std::optional<double>>{2000, 3000}));
  EXPECT_EQ(over->held[0].readings, 2u);
  EXPECT_FALSE(held_over_time(profile, 2, {kTenthNs * 50, kTenthNs * 60}));
}

TEST_F(OverTimeTest, FindsWhoSuffersFromWhom) {
  read(kCacheBytes / 2, 0);
  for (int i = 0; i < 40; ++i) {
    bool busy = i >= 10 && i < 30;
    tenth(busy ? kCacheBytes / 8 : kCacheBytes / 2, busy ? kCacheBytes * 7 / 8 : kCacheBytes / 8,
          (busy ? 60u : 20u) + static_cast<unsigned>(i % 3));
    profile.samples.location.back() = 0;
  }
  std::optional<OverTime> over = held_over_time(profile, 4);
  ASSERT_EQ(over->contentions.size(), 1u);
  const Contention& found = over->contentions[0];
  EXPECT_EQ(found.victim, 0u);
  EXPECT_EQ(found.neighbour, 1u);
  EXPECT_EQ(found.event, "l3_cache_miss");
  EXPECT_NEAR(found.ratio.value, 61.0 / 21, 0.05);
  EXPECT_LT(found.ratio.low, found.ratio.value);
  EXPECT_GT(found.ratio.high, found.ratio.value);
  EXPECT_NEAR(found.neighbour_share, 7.0 / 8, 1e-9);
  EXPECT_NEAR(found.victim_share_then, 1.0 / 8, 1e-9);
  EXPECT_NEAR(found.victim_share_else, 1.0 / 2, 1e-9);
  EXPECT_EQ(found.longest_begin_ns, 10 * kTenthNs);
  EXPECT_EQ(found.longest_end_ns, 30 * kTenthNs);
  EXPECT_EQ(found.function, "loud");
  ASSERT_TRUE(found.split);
  EXPECT_EQ(found.split->victim_ways, 0xff00u) << "half of 16";
  EXPECT_EQ(found.split->neighbour_ways, 0xffu);
}

TEST_F(OverTimeTest, WhatProcessesStartedIsTheirs) {
  profile.parents[kChild] = kVictim;
  read(kCacheBytes / 2, 0);
  for (int i = 0; i < 20; ++i) {
    bool busy = i % 2 == 0;
    tenth(busy ? 0 : kCacheBytes / 2, busy ? kCacheBytes : 0, busy ? 50 : 10, 1, 2);
  }
  ASSERT_EQ(held_over_time(profile, 4)->contentions.size(), 1u);
  profile.parents.clear();
  EXPECT_TRUE(held_over_time(profile, 4)->contentions.empty());
}

TEST_F(OverTimeTest, NobodySuffersWhoHeldNoLess) {
  read(kCacheBytes / 8, 0);
  for (int i = 0; i < 20; ++i) tenth(kCacheBytes / 8, i % 2 == 0 ? kCacheBytes / 2 : 0, i % 2 == 0 ? 50 : 10);
  EXPECT_TRUE(held_over_time(profile, 4)->contentions.empty());
}

TEST_F(OverTimeTest, ChanceIsNoContention) {
  std::mt19937 random(3);
  read(kCacheBytes / 2, kCacheBytes / 2);
  for (int i = 0; i < 60; ++i) {
    uint64_t own = random() % kCacheBytes;
    tenth(own, kCacheBytes - own, 20 + random() % 20);
  }
  EXPECT_TRUE(held_over_time(profile, 4)->contentions.empty());
}

}  // namespace
}  // namespace hm::occupancy
