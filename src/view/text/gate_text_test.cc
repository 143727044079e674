// SPDX-License-Identifier: MIT
#include "view/text/gate_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::text {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

diff::Change exact_change(double absolute, double relative) {
  return {absolute, relative, diff::Interval{absolute, absolute}, true};
}

diff::Check gate_check(const std::string& spec, diff::Verdict verdict) {
  diff::Check check;
  check.limit = *diff::parse_limit(spec);
  check.verdict = verdict;
  check.before = {1000, {1000, 1000}};
  check.after = {1200, {1200, 1200}};
  check.change = exact_change(200, 0.2);
  return check;
}

diff::NamedDiff gate_example() {
  diff::NamedDiff result{"table", {}, ""};
  result.diff.totals = {{"l1_cache_miss", 1000, 1200, exact_change(200, 0.2), false, 1},
                        {"instr_retired", 5000, 5000, exact_change(0, 0), false, 1}};
  result.diff.columns = {"function", "dso"};
  result.diff.rows = {{"l1_cache_miss", 10, 12, false, {}}};
  result.diff.rows[0].rows = {
      {{"fill", "p"}, 5, 5, {500, {500, 500}}, {500, {500, 500}}, exact_change(0, 0)},
      {{"add_up", "p"}, 5, 7, {500, {500, 500}}, {700, {700, 700}}, exact_change(200, 0.4)}};
  result.diff.checks = {gate_check("l1_cache_miss:5%", diff::Verdict::kExceeded),
                        gate_check("l1_cache_miss@ns::f:50%", diff::Verdict::kWithin)};
  return result;
}

std::vector<std::string> row_texts(const GateRow& row) {
  return {row.name, row.event, row.before, row.after, row.change, row.relative, row.verdict};
}

TEST(GateRows, LimitsThenEventsWithoutOne) {
  const std::vector<diff::NamedDiff> results{gate_example(), {"broken", {}, "it ended with status 1"}};
  const std::vector<GateRow> rows = gate_rows(results);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_THAT(row_texts(rows[0]),
              ElementsAre("table", "l1_cache_miss", "1,000", "1,200", "+200", "+20.0%", "exceeded (5%)"));
  EXPECT_THAT(row_texts(rows[1]),
              ElementsAre("table", "l1_cache_miss@ns::f", "1,000", "1,200", "+200", "+20.0%", "kept (50%)"));
  EXPECT_THAT(row_texts(rows[2]),
              ElementsAre("table", "instr_retired", "5,000", "5,000", "0", "+0.0%", "no limit"));
  EXPECT_THAT(row_texts(rows[3]), ElementsAre("broken", "", "", "", "", "", "failed"));
}

TEST(GateRows, WhatWasNotComparedHasNoNumbers) {
  diff::NamedDiff result = gate_example();
  result.diff.checks[0].verdict = diff::Verdict::kGone;
  result.diff.checks[1].no_samples = true;
  const std::vector<GateRow> rows = gate_rows({&result, 1});
  EXPECT_THAT(row_texts(rows[0]), ElementsAre("table", "l1_cache_miss", "", "", "", "", "function gone"));
  EXPECT_THAT(row_texts(rows[1]), ElementsAre("table", "l1_cache_miss@ns::f", "", "", "", "", "no samples"));
}

TEST(GateReport, NamesTheFunctionThatGrewMost) {
  diff::NamedDiff result = gate_example();
  result.diff.differences = {{"command", "./table", "./table 2"}};
  EXPECT_THAT(gate_report({&result, 1}, {}),
              HasSubstr("# table: different command: ./table before, ./table 2 after\n"
                        "# table: l1_cache_miss grew most in add_up, p: about +200, from 500 to 700\n"));
  result.diff.checks[0].verdict = diff::Verdict::kWithin;
  EXPECT_THAT(gate_report({&result, 1}, {}), ::testing::Not(HasSubstr("grew")));
}

}  // namespace
}  // namespace hm::text
