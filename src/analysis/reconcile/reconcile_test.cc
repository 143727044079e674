// SPDX-License-Identifier: MIT
#include "analysis/reconcile/reconcile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::reconcile {
namespace {

using ::testing::DoubleNear;
using ::testing::Optional;

hotspots::Row row(const char* function, double share, double half_width = 0.01, const char* file = "") {
  hotspots::Row row;
  row.keys = {function};
  row.dso = "program";
  row.file = file;
  row.counts = {{100, 1000, profile::Share{share, share - half_width, share + half_width}}};
  return row;
}

hotspots::Hotspots table(std::vector<hotspots::Row> rows) {
  hotspots::Hotspots table;
  table.events = {{"event", 1000, 10000}};
  table.rows = std::move(rows);
  return table;
}

totals::Verdict half_waits() {
  totals::Verdict verdict;
  verdict.memory = 0.5;
  return verdict;
}

TEST(Reconcile, WaitsAreSharesOfAllCycles) {
  Reconciliation result = reconcile(table({row("chase", 0.6), row("parse", 0.4)}),
                                    table({row("chase", 0.9), row("parse", 0.1)}), half_waits(), 0);
  ASSERT_EQ(result.functions.size(), 2u);
  const FunctionTime& chase = result.functions[0];
  EXPECT_EQ(chase.function, "chase");
  EXPECT_DOUBLE_EQ(chase.waits->value, 0.45);
  EXPECT_THAT(chase.waiting, Optional(DoubleNear(0.75, 1e-9)));
  EXPECT_THAT(result.functions[1].waiting, Optional(DoubleNear(0.125, 1e-9)));
  EXPECT_FALSE(chase.overestimated);
}

TEST(Reconcile, MoreWaitsThanTimeAreMarked) {
  Reconciliation result = reconcile(table({row("scan", 0.1), row("other", 0.9)}),
                                    table({row("scan", 0.8), row("other", 0.2)}), half_waits(), 0);
  EXPECT_EQ(result.functions[1].function, "scan");
  EXPECT_TRUE(result.functions[1].overestimated);
  EXPECT_FALSE(result.functions[0].overestimated);
}

TEST(Reconcile, ErrorsOfBothAreAllowedFor) {
  totals::Verdict verdict = half_waits();
  verdict.error = 0.4;
  Reconciliation result = reconcile(table({row("scan", 0.1, 0.05)}), table({row("scan", 0.8)}), verdict, 0);
  EXPECT_FALSE(result.functions[0].overestimated);  // between 8 and 73 % of the cycles
}

TEST(Reconcile, FunctionsOfOneRecordingAlone) {
  Reconciliation result = reconcile(table({row("native", 1)}), table({row("modelled", 1)}), half_waits(), 0);
  EXPECT_EQ(result.functions[0].function, "native");
  EXPECT_EQ(result.functions[0].waits, std::nullopt);
  EXPECT_EQ(result.functions[0].waiting, std::nullopt);
  EXPECT_EQ(result.functions[1].time, std::nullopt);
  EXPECT_TRUE(result.functions[1].overestimated);
}

TEST(Reconcile, FunctionsOfOneNameAreToldApartByTheirFiles) {
  Reconciliation result = reconcile(table({row("f", 0.7, 0.01, "a.c"), row("f", 0.3, 0.01, "b.c")}),
                                    table({row("f", 1, 0.01, "b.c")}), half_waits(), 0);
  ASSERT_EQ(result.functions.size(), 2u);
  EXPECT_EQ(result.functions[0].waits, std::nullopt);
}

TEST(Reconcile, FewSamplesProveNothing) {
  hotspots::Hotspots waits = table({row("scan", 1)});
  waits.rows[0].counts[0].share->few_samples = true;
  Reconciliation result = reconcile(table({row("other", 1)}), waits, half_waits(), 0);
  for (const FunctionTime& each : result.functions) EXPECT_FALSE(each.overestimated);
}

TEST(Reconcile, TheLimitKeepsTheLargest) {
  Reconciliation result =
      reconcile(table({row("a", 0.2), row("b", 0.3), row("c", 0.5)}), table({row("d", 1)}), half_waits(), 2);
  ASSERT_EQ(result.functions.size(), 2u);
  EXPECT_EQ(result.all_functions, 4u);
  EXPECT_EQ(result.functions[0].waits.has_value() + result.functions[1].waits.has_value(), 1);
}

}  // namespace
}  // namespace hm::reconcile
