// SPDX-License-Identifier: MIT
// Tests of the parts of the last-level cache screen: history, bar and plots.
#include "view/screen/llc_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "view/screen/llc_bar.h"
#include "view/screen/plot.h"
#include "view/screen/test_holders.h"

namespace hm::screen {
namespace {

using occupancy::Snapshot;
using ::testing::ElementsAre;

TEST(LlcHistory, ForgetsRowsThatAreGoneAndTimesLongAgo) {
  LlcHistory history;
  for (uint64_t second = 0; second < 2 * LlcHistory::kMost; ++second) history.add(holders(second));
  Snapshot last = holders(3000);
  last.rows.resize(3);
  history.add(last);
  EXPECT_EQ(history.rows(), 3u);
  EXPECT_EQ(history.of("process 11", last.time_ns).size(), LlcHistory::kMost);
  EXPECT_TRUE(history.of("process 13", last.time_ns).empty());
  EXPECT_EQ(history.age_ns(1, last.time_ns), (3000 - 2 * LlcHistory::kMost + 1) * kSecond);
  EXPECT_EQ(history.of("process 12", last.time_ns).back(), (PlotValue{4.0 * kMib, false}));
}

TEST(LlcBar, RowsKeepTheirLetters) {
  LlcBar bar;
  bar.update(holders(0));
  EXPECT_EQ(bar.mark_of("process 12")->letter, 'A');
  EXPECT_EQ(bar.mark_of("process 11")->letter, 'B');
  EXPECT_FALSE(bar.mark_of("process 13"));
  bar.update(holders(9));
  EXPECT_EQ(bar.mark_of("process 12")->letter, 'A') << "though it holds less than the other now";
}

TEST(Plot, CondensesFromTheEnd) {
  std::vector<PlotValue> values{{1, false}, {}, {5, true}, {2, false}, {3, false}};
  EXPECT_THAT(condensed(values, 2),
              ElementsAre(PlotValue{1, false}, PlotValue{5, true}, PlotValue{3, false}));
  EXPECT_EQ(sparkline(values, 6, 5, false), " 2 .45");
}

}  // namespace
}  // namespace hm::screen
