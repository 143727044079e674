// SPDX-License-Identifier: MIT
#include "view/json/branches_json.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace hm::json {
namespace {

TEST(BranchesJson, WhatWasNotMeasuredIsNull) {
  branches::Branches result;
  result.samples = 2;
  result.entries = 10;
  result.rows = {{{"main", "program", 0x1139}, {"f", "lib.so", 0x20}, 6, 0.6, 1, 5, 12.5, 0.25},
                 {{"f", "lib.so", {}}, {"main", "program", {}}, 4, 0.4, 0, 0, {}}};
  result.all_rows = 2;
  auto json = nlohmann::json::parse(branches_json(profile::Profile(), result));
  EXPECT_EQ(json["entries"], 10);
  EXPECT_EQ(json["sort"], "function");
  EXPECT_EQ(json["rows"][0]["from"],
            (nlohmann::json{{"function", "main"}, {"dso", "program"}, {"address", 0x1139}}));
  EXPECT_EQ(json["rows"][0]["mispredicted"], 1);
  EXPECT_EQ(json["rows"][0]["mean_cycles"], 12.5);
  EXPECT_TRUE(json["rows"][1]["mispredicted"].is_null());
  EXPECT_TRUE(json["rows"][1]["predicted"].is_null());
  EXPECT_TRUE(json["rows"][1]["mean_cycles"].is_null());
  EXPECT_TRUE(json["rows"][1]["to"]["address"].is_null());
}

}  // namespace
}  // namespace hm::json
