// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/budget.h"

#include <gtest/gtest.h>

namespace hm::soft {
namespace {

constexpr uint64_t kMs = 1'000'000;

TEST(Budget, CountsAllThatTheProcessesDoInEpisodesAndAllThatIsOurs) {
  Budget budget(0.05);
  budget.begin_episode({0, 0});
  EXPECT_EQ(budget.cost_ns({40 * kMs, 2 * kMs}), 42 * kMs);
  budget.end_episode({80 * kMs, 5 * kMs});
  EXPECT_EQ(budget.cost_ns({80 * kMs, 5 * kMs}), 85 * kMs);
  EXPECT_EQ(budget.cost_ns({500 * kMs, 6 * kMs}), 86 * kMs);
  EXPECT_DOUBLE_EQ(budget.cost({1000 * kMs, 20 * kMs}), 0.1);
}

TEST(Budget, WaitsUntilTheNextEpisodeFits) {
  Budget budget(0.05);
  budget.begin_episode({0, 0});
  budget.end_episode({95 * kMs, 5 * kMs});
  EXPECT_FALSE(budget.allows_episode({3999 * kMs, 5 * kMs}));
  EXPECT_TRUE(budget.allows_episode({4000 * kMs, 5 * kMs}));
  EXPECT_FALSE(budget.allows_episode({4000 * kMs, 6 * kMs}));
}

// A sleeping process uses no CPU time, so the measurement's own CPU time must not grow either.
TEST(Budget, LeavesAnIdleProcessAlone) {
  Budget budget(0.05);
  EXPECT_DOUBLE_EQ(budget.cost({0, 3 * kMs}), 0);
  budget.begin_episode({0, 0});
  budget.end_episode({0, 3 * kMs});
  EXPECT_FALSE(budget.allows_episode({0, 3 * kMs}));
}

TEST(Budget, StaysBelowItsShareOverManyEpisodes) {
  constexpr double kShare = 0.03;
  Budget budget(kShare);
  CpuTimes now;
  for (int episode = 0; episode < 1000; ++episode) {
    budget.begin_episode(now);
    now.targets_ns += static_cast<uint64_t>(20 + episode % 7 * 30) * kMs;
    now.own_ns += 2 * kMs;
    budget.end_episode(now);
    while (!budget.allows_episode(now)) now.targets_ns += 10 * kMs;
  }
  EXPECT_LE(budget.cost(now), kShare);
  EXPECT_GT(budget.cost(now), kShare * 0.9);
}

}  // namespace
}  // namespace hm::soft
