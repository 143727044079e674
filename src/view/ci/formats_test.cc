// SPDX-License-Identifier: MIT
#include "view/ci/formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace hm::ci {
namespace {

using testing::HasSubstr;

diff::Change change(double absolute, double relative, double low, double high) {
  return {absolute, relative, diff::Interval{low, high}, low == high};
}

diff::Check check(const std::string& spec, diff::Verdict verdict, std::optional<std::string> function = {}) {
  diff::Check check;
  check.limit.spec = spec;
  check.limit.function = std::move(function);
  check.verdict = verdict;
  check.before = {10'000, {10'000, 10'000}};
  check.after = {12'000, {12'000, 12'000}};
  check.change = change(2000, 0.2, 2000, 2000);
  return check;
}

diff::Diff example() {
  diff::Diff result;
  result.after.command = "./table 1";
  result.totals = {{"l1_cache_miss", 10'000, 12'000, change(2000, 0.2, 2000, 2000), false, 1}};
  result.columns = {"function", "dso"};
  result.rows = {{"l1_cache_miss", 100, 120, false, {}}};
  result.rows[0].rows = {
      {{"table<int>::at|", "p"},
       20,
       45,
       {2000, {1500, 2500}},
       {4500, {4000, 5000}},
       change(2500, 1.25, 1800, 3200)},
      {{"noise", "p"}, 5, 7, {500, {200, 900}}, {700, {300, 1200}}, change(200, 0.4, -300, 700)}};
  result.checks = {check("l1_cache_miss:5%", diff::Verdict::kExceeded),
                   check("l1_cache_miss@\"at\":30%", diff::Verdict::kUndetermined, "\"at\""),
                   check("l1_cache_miss:50%", diff::Verdict::kWithin)};
  return result;
}

// The results of `hardmeter diff`.
std::vector<diff::NamedDiff> only(diff::Diff result) { return {{"", std::move(result), ""}}; }

// The results of `hardmeter ci`.
std::vector<diff::NamedDiff> several() {
  return {{"table", example(), ""}, {"broken", {}, "the program ./broken ended with status 1"}};
}

TEST(Markdown, LimitsThenTotalsThenChangedRows) {
  EXPECT_EQ(markdown(only(example())), R"(### hardmeter: 1 of 3 limits violated

- `l1_cache_miss:5%` exceeded: 10,000 before, 12,000 after, +2,000 (+20.00%)
- `l1_cache_miss@"at":30%` cannot be checked with so few runs: 10,000 before, 12,000 after, +2,000 (+20.00%)
- `l1_cache_miss:50%` kept: 10,000 before, 12,000 after, +2,000 (+20.00%)

| total | before | after | change | | 95 % interval |
|---|--:|--:|--:|--:|--:|
| l1\_cache\_miss | 10,000 | 12,000 | +2,000 | +20.0% | exact |

<details><summary>l1\_cache\_miss by function</summary>

| function, dso | before | after | change | | 95 % interval |
|---|--:|--:|--:|--:|--:|
| table&lt;int>::at\|, p | 2,000 | 4,500 | +2,500 | +125.0% | \[+1,800 .. +3,200\] |

</details>
)");
}

TEST(Markdown, SaysIfThereAreNoLimits) {
  diff::Diff result;
  EXPECT_EQ(markdown(only(result)), "### hardmeter: no limits\n\nNo event is on both sides.\n");
}

TEST(WorkflowCommands, OneForEachLimitThatIsNotKept) {
  EXPECT_EQ(workflow_commands(only(example())),
            "::error title=hardmeter%3A l1_cache_miss%3A5%25::exceeded: 10,000 before, 12,000 after, +2,000 "
            "(+20.00%25)\n"
            "::warning title=hardmeter%3A l1_cache_miss@\"at\"%3A30%25::cannot be checked with so few runs: "
            "10,000 before, 12,000 after, +2,000 (+20.00%25)\n");
}

TEST(WorkflowCommands, ALineBreakEndsNoCommand) {
  diff::Diff result;
  result.checks = {check("e@a\n::error::x:5%", diff::Verdict::kExceeded)};
  std::string text = workflow_commands(only(result));
  EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
}

TEST(Junit, ATestCaseForEachLimit) {
  std::string xml = junit(only(example()));
  EXPECT_THAT(xml, HasSubstr("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("name=\"l1_cache_miss:5%\" time=\"0\"><failure message=\"exceeded: 10,000"));
  EXPECT_THAT(xml, HasSubstr("name=\"l1_cache_miss@&quot;at&quot;:30%\" time=\"0\"><skipped message="));
  EXPECT_THAT(xml, HasSubstr("name=\"l1_cache_miss:50%\" time=\"0\"></testcase>"));
}

TEST(Sarif, AResultForEachLimitThatIsNotKept) {
  auto json = nlohmann::json::parse(sarif(only(example())));
  EXPECT_EQ(json["version"], "2.1.0");
  const auto& results = json["runs"][0]["results"];
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_FALSE(results[0].contains("locations"));
  EXPECT_EQ(results[0]["ruleId"], json["runs"][0]["tool"]["driver"]["rules"][0]["id"]);
  EXPECT_EQ(results[1]["level"], "warning");
  EXPECT_EQ(results[1]["locations"][0]["logicalLocations"][0]["name"], "\"at\"");
}

TEST(Bencher, TotalsAfterTheChange) {
  auto json = nlohmann::json::parse(bencher(only(example())));
  EXPECT_EQ(json["./table 1"]["l1_cache_miss"]["value"], 12'000);
}

TEST(BenchmarkAction, TotalsAfterTheChange) {
  auto json = nlohmann::json::parse(benchmark_action(only(example())));
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["name"], "./table 1: l1_cache_miss");
  EXPECT_EQ(json[0]["unit"], "events");
  EXPECT_EQ(json[0]["value"], 12'000);
}

TEST(Markdown, OneTableForSeveralCommands) {
  std::string text = markdown(several());
  EXPECT_THAT(text, HasSubstr("### hardmeter: 1 of 3 limits violated, 1 command failed\n\n"
                              "| command | event | before | after | change | | verdict |\n"
                              "|---|---|--:|--:|--:|--:|---|\n"
                              "| table | l1\\_cache\\_miss | 10,000 | 12,000 | +2,000 | +20.0% | "
                              "**exceeded (5%)** |\n"));
  EXPECT_THAT(text, HasSubstr("| broken |  |  |  |  |  | **failed** |\n"));
  EXPECT_THAT(text, HasSubstr("<summary>table: l1\\_cache\\_miss by function</summary>"));
  EXPECT_THAT(text, HasSubstr("> broken: the program ./broken ended with status 1\n"));
}

TEST(Junit, ACommandThatFailedIsAnError) {
  std::string xml = junit(several());
  EXPECT_THAT(xml, HasSubstr("tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("classname=\"hardmeter.table\" name=\"l1_cache_miss:5%\""));
  EXPECT_THAT(xml,
              HasSubstr("classname=\"hardmeter.broken\" name=\"measurement\" time=\"0\"><error message="));
}

TEST(WorkflowCommands, NameTheCommand) {
  EXPECT_THAT(workflow_commands(several()),
              HasSubstr("::error title=hardmeter%3A broken%3A measurement::the program ./broken ended"));
}

TEST(Sarif, ACommandThatFailedIsAResult) {
  auto json = nlohmann::json::parse(sarif(several()));
  const auto& results = json["runs"][0]["results"];
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[2]["ruleId"], "measurement");
  EXPECT_EQ(results[2]["message"]["text"], "broken: the program ./broken ended with status 1");
}

TEST(Metrics, OneBenchmarkForEachCommandThatWasMeasured) {
  auto json = nlohmann::json::parse(bencher(several()));
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json["table"]["l1_cache_miss"]["value"], 12'000);
  EXPECT_EQ(nlohmann::json::parse(benchmark_action(several()))[0]["name"], "table: l1_cache_miss");
}

TEST(Formats, NamesThatAreNotUtf8StillGiveValidJson) {
  diff::Diff result = example();
  result.after.command = "./\xff";
  for (auto write : {sarif, bencher, benchmark_action})
    EXPECT_TRUE(nlohmann::json::accept(write(only(result))));
}

}  // namespace
}  // namespace hm::ci
