// SPDX-License-Identifier: MIT
#include "view/json/diff_json.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace hm::json {
namespace {

TEST(DiffJson, HasEveryField) {
  diff::Diff result;
  result.before = {{"a"}, true, "software", "e", "m", "c", {"r"}};
  result.differences = {{"command", "x", "y"}};
  result.totals = {{"miss", 10, 12, {2, 0.2, diff::Interval{2, 2}, true}, false, 1},
                   {"told", 10, 12, {2, 0.2, std::nullopt, false}, true, 0.5}};
  result.only_before = {"old"};
  result.columns = {"function", "dso"};
  result.rows = {{"miss", 3, 4, false, {}}};
  result.rows[0].rows = {
      {{"f", "p"}, 0, 4, {std::nullopt, {0, 5}}, {12, {9, 14}}, {{}, {}, diff::Interval{4, 14}, false}}};
  diff::Check check;
  check.limit.spec = "miss:1%";
  check.verdict = diff::Verdict::kExceeded;
  check.change.absolute = 2;
  result.checks = {check};
  result.processors = "A and B";
  result.renamed = {{"f", "g"}};
  auto json = nlohmann::json::parse(diff_json(result));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["before"]["files"], nlohmann::json{"a"});
  EXPECT_EQ(json["before"]["baseline"], true);
  EXPECT_EQ(json["differences"][0]["after"], "y");
  EXPECT_EQ(json["processors"], "A and B");
  EXPECT_EQ(json["renamed"]["f"], "g");
  EXPECT_EQ(json["totals"]["miss"]["change"], 2);
  EXPECT_EQ(json["totals"]["miss"]["interval"], (nlohmann::json{{"low", 2.0}, {"high", 2.0}}));
  EXPECT_EQ(json["totals"]["miss"]["significant"], true);
  EXPECT_EQ(json["totals"]["miss"]["exact"], true);
  EXPECT_TRUE(json["totals"]["told"]["interval"].is_null());
  EXPECT_EQ(json["totals"]["told"]["significant"], false);
  EXPECT_EQ(json["totals"]["told"]["running"], 0.5);
  EXPECT_EQ(json["only_before"], nlohmann::json{"old"});
  const auto& row = json["rows"]["miss"]["rows"][0];
  EXPECT_EQ(row["function"], "f");
  EXPECT_EQ(row["dso"], "p");
  EXPECT_TRUE(row["before"]["value"].is_null());
  EXPECT_EQ(row["before"]["high"], 5.0);
  EXPECT_EQ(row["samples_after"], 4);
  EXPECT_TRUE(row["change"].is_null());
  EXPECT_EQ(row["significant"], true);
  EXPECT_EQ(json["limits"][0]["limit"], "miss:1%");
  EXPECT_EQ(json["limits"][0]["verdict"], "exceeded");
  EXPECT_EQ(json["limits"][0]["change"], 2.0);
}

}  // namespace
}  // namespace hm::json
