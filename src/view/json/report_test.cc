// SPDX-License-Identifier: MIT
#include "view/json/report.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "event/event_template.h"
#include "event/hardware/known_cpus.h"
#include "view/json/event_list.h"

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
