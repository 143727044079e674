// SPDX-License-Identifier: MIT
#include "analysis/check/check.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace hm::analysis {
namespace {

using nlohmann::json;

std::filesystem::path recordings() {
  const char* set = std::getenv("HARDMETER_PERFDATA");
  return set != nullptr ? std::filesystem::path(set)
                        : std::filesystem::path(HM_SOURCE_DIR) / "../shared/perfdata";
}

// What an independent decoder counted; a total that it does not name is one of a field that was not recorded.
void expect_counts(const CheckResult& result, const json& expected) {
  EXPECT_EQ(json(result.records), expected["records"]);
  EXPECT_EQ(result.samples, expected["samples"]);
  EXPECT_EQ(json(result.samples_per_event), expected["samples_per_attr"]);
  const json& totals = expected["totals"];
  EXPECT_EQ(result.samples, totals["ok"]) << "every sample must have been decoded";
  EXPECT_EQ(result.period_sum.value_or(0), totals.value("period_sum", uint64_t{0}));
  EXPECT_EQ(result.branch_entries.value_or(0), totals.value("br_entries", uint64_t{0}));
  EXPECT_EQ(result.callchain_ips.value_or(0), totals.value("cc_ips", uint64_t{0}));
}

TEST(Check, RealRecordingsGiveTheCountsOfAnIndependentDecoder) {
  std::ifstream list(recordings() / "expected.json");
  if (!list) {
    GTEST_SKIP() << "no recordings in " << recordings()
                 << ": set HARDMETER_PERFDATA to a folder that has expected.json";
  }
  json all = json::parse(list);
  ASSERT_FALSE(all.empty());
  for (const json& expected : all) {
    std::string name = expected["name"];
    SCOPED_TRACE(name);
    auto reader = record::Reader::open(recordings() / name);
    ASSERT_TRUE(reader.ok()) << reader.error().message;
    EXPECT_EQ(reader->is_pipe(), expected["mode"] == "pipe");
    CheckResult result = check(*reader);
    expect_counts(result, expected);
    EXPECT_EQ(json(result.problems), json::array());
  }
}

}  // namespace
}  // namespace hm::analysis
