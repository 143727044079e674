// SPDX-License-Identifier: MIT
#include "agent/budget.h"

#include <gtest/gtest.h>

namespace hm::agent {
namespace {

using Seconds = Budget::Seconds;

TEST(Budget, IsKeptWhateverAMeasurementCosts) {
  Budget budget(0.005);
  const double costs[] = {0.2, 0.05, 1.5, 0.2, 0.2};
  Seconds spent(0.1), elapsed(0), lasts(5), last(0.2);
  elapsed += budget.pause(spent, elapsed, lasts, last);
  for (double cost : costs) {
    elapsed += lasts;
    spent += Seconds(cost);
    last = Seconds(cost);
    elapsed += budget.pause(spent, elapsed, lasts, last);
    EXPECT_LE((spent + last) / (elapsed + lasts), 0.005 + 1e-9);
  }
}

TEST(Budget, WaitsNoLongerThanItHasTo) {
  EXPECT_EQ(Budget(1).pause(Seconds(1), Seconds(10), Seconds(5), Seconds(1)).count(), 0);
  EXPECT_DOUBLE_EQ(Budget(0.1).pause(Seconds(1), Seconds(5), Seconds(5), Seconds(1)).count(), 10);
}

}  // namespace
}  // namespace hm::agent
