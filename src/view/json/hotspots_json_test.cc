// SPDX-License-Identifier: MIT
#include "view/json/hotspots_json.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "event/event_template.h"
#include "event/hardware/known_cpus.h"
#include "view/json/event_list_json.h"

namespace hm::json {
namespace {

TEST(HotspotsJson, CountsAreByEvent) {
  hotspots::Hotspots result;
  result.keys = {hotspots::SortKey::kFunction, hotspots::SortKey::kComm};
  result.events = {{"a", 10, 100}, {"b", 0, std::nullopt}};
  result.rows = {
      {{"f\xff", "sh"}, std::nullopt, {{10, 100, profile::Share{1, 0.7, 1}}, {0, std::nullopt, {}}}, {}}};
  result.all_rows = 1;
  auto json = nlohmann::json::parse(hotspots_json(profile::Profile(), result));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["sort"], (nlohmann::json{"function", "comm"}));
  const auto& row = json["rows"][0];
  EXPECT_EQ(row["function"], "f\uFFFD");
  EXPECT_EQ(row["comm"], "sh");
  EXPECT_TRUE(row["dso"].is_null());
  EXPECT_EQ(row["counts"], (nlohmann::json{{"a", 10}, {"b", 0}}));
  EXPECT_EQ(row["estimated"], (nlohmann::json{{"a", 100}, {"b", nullptr}}));
  EXPECT_EQ(row["share"]["a"]["low"], 0.7);
  EXPECT_TRUE(row["share"]["b"].is_null());
  EXPECT_TRUE(json["recording"]["pmu"].is_null());
}

TEST(HotspotsJson, InclusiveCountsHaveTheFormOfTheRowsOwn) {
  hotspots::Hotspots result;
  result.keys = {hotspots::SortKey::kFunction};
  result.events = {{"a", 10, 100}};
  result.rows = {{{"int f<int>(int)"}, "p", {{2, 20, profile::Share{0.2, 0.1, 0.3}}}, {}}};
  result.rows[0].inclusive = {{9, 90, profile::Share{0.9, 0.5, 1, true}}};
  auto without = nlohmann::json::parse(hotspots_json(profile::Profile(), result))["rows"][0];
  EXPECT_FALSE(without.contains("inclusive"));
  result.inclusive = true;
  auto row = nlohmann::json::parse(hotspots_json(profile::Profile(), result))["rows"][0];
  EXPECT_EQ(row["inclusive"], (nlohmann::json{{"a", 9}}));
  EXPECT_EQ(row["inclusive_estimated"], (nlohmann::json{{"a", 90}}));
  EXPECT_EQ(row["inclusive_share"]["a"],
            (nlohmann::json{{"value", 0.9}, {"low", nullptr}, {"high", nullptr}}));
  EXPECT_EQ(row["function"], "int f<int>(int)");
  EXPECT_EQ(row["short"], "f<…>");
  EXPECT_FALSE(row.contains("file"));
}

TEST(EventListJson, HasEveryField) {
  const event::EventTemplate* event = event::find_event("scalar_sp_retired");
  auto json = nlohmann::json::parse(
      event_list_json(event::hardware_events({&event, 1}, event::find_known_cpu("skylake-sp")->model)));
  EXPECT_EQ(json["events"][0]["name"], "scaler_sp_retired");
  EXPECT_EQ(json["events"][0]["alias"], "scalar_sp_retired");
  EXPECT_EQ(json["events"][0]["software"], "exact");
  EXPECT_EQ(json["events"][0]["precise"], true);
}

}  // namespace
}  // namespace hm::json
