// SPDX-License-Identifier: MIT
#include "analysis/overhead/overhead_costs.h"

#include <gtest/gtest.h>

namespace hm::overhead {
namespace {

Series series(const char* name, std::vector<double> walls, uint64_t samples = 0) {
  Series made{name, {}, {}};
  for (double wall : walls) made.runs.push_back({wall, wall / 2, samples, samples / 10});
  return made;
}

TEST(Overhead, ComparesRoundByRound) {
  // The machine slows down in the middle; ratios within a round cancel the slowdown.
  std::vector<Cost> costs =
      find_costs({series("nothing", {1, 2, 1}), series("sampling", {1.1, 2.2, 1.1}, 100)});
  ASSERT_EQ(costs.size(), 2u);
  EXPECT_DOUBLE_EQ(costs[0].wall_seconds->value, 1);
  EXPECT_FALSE(costs[0].more_wall.has_value());
  EXPECT_NEAR(costs[1].more_wall->value, 0.1, 1e-9);
  EXPECT_NEAR(costs[1].more_cpu->high, 0.1, 1e-9);
  EXPECT_NEAR(*costs[1].samples_per_second, 300 / 4.4, 1e-9);
  EXPECT_EQ(costs[1].lost, 30u);
}

TEST(Overhead, WhatWasNotRunHasNoFigures) {
  Series without{"with branch records", {}, "there are none"};
  std::vector<Cost> costs = find_costs({series("nothing", {1}), without});
  EXPECT_EQ(costs[1].obstacle, "there are none");
  EXPECT_FALSE(costs[1].wall_seconds.has_value());
  EXPECT_FALSE(costs[1].more_wall.has_value());
  EXPECT_FALSE(costs[1].samples_per_second.has_value());
}

}  // namespace
}  // namespace hm::overhead
