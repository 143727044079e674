// SPDX-License-Identifier: MIT
#include "view/json/latency_json.h"

#include <gtest/gtest.h>

#include "view/json/values.h"

namespace hm::json {
namespace {

TEST(LatencyJson, HasCurvesAndLevelsAndNullForWhatIsNotThere) {
  host::Sweep sweep;
  sweep.small_pages = {{4096, {1, 0.95, 1.05}, 3}, {8192, {1, 0.5, 1.1}, 3}};
  host::MemoryCosts costs = memory_costs(std::move(sweep), {{1, "Data", 64, 8, 64}}, true);
  Json json = Json::parse(latency_json(costs));
  EXPECT_EQ(json["schema"], kSchema);
  EXPECT_EQ(json["levels_from"], "small_pages");
  EXPECT_EQ(json["small_pages"][0]["ns"], (Json{{"value", 1.0}, {"low", 0.95}, {"high", 1.05}}));
  EXPECT_EQ(json["small_pages"][0]["steady"], true);
  EXPECT_EQ(json["small_pages"][1]["steady"], false);
  EXPECT_EQ(json["huge_pages"], Json::array());
  EXPECT_EQ(json["levels"][0]["reported_bytes"], 32768);
  EXPECT_EQ(json["levels"][0]["found"], false);
  for (const char* absent : {"ns", "cycles", "found_bytes", "huge_pages_ns"}) {
    EXPECT_TRUE(json["levels"][0][absent].is_null()) << absent;
  }
  EXPECT_TRUE(json["huge_share"].is_null());
  EXPECT_TRUE(json["stolen_share"].is_null());
}

}  // namespace
}  // namespace hm::json
