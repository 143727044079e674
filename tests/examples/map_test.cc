// SPDX-License-Identifier: MIT
// The output of `hardmeter map` for examples with known pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/json.h"
#include "base/temporary_folder.h"
#include "measuring.h"
#include "plain_environment.h"

namespace hm::soft_pmu_test {
namespace {

using ::testing::HasSubstr;

const Words kMapMachine = {"--cpu", "zen4"};  // L2: 1 MiB in 32 regions of 8 ways

class CacheMap : public WithPlainEnvironment {
 protected:
  static nlohmann::json map(const Words& program, const std::string& event, const Words& options) {
    TemporaryFolder folder;
    std::string path = folder.file("perf.data");
    Outcome recorded = hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() + kMapMachine +
                                 Words{"-e", event, "-c", "97", "--"} + program);
    EXPECT_EQ(recorded.status, 0) << recorded.err;
    Outcome told = hardmeter(Words{"map", "--json", "-i", path} + options);
    nlohmann::json json = nlohmann::json::parse(told.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << told.err;
    return json;
  }

  static double misses(const Words& program, const std::string& event) {
    TemporaryFolder folder;
    std::string path = folder.file("counts.json");
    Outcome counted = hardmeter(Words{"stat", "--json", "-o", path} + soft_pmu() + kMapMachine +
                                Words{"-e", event, "--"} + program);
    EXPECT_EQ(counted.status, 0) << counted.err;
    return nlohmann::json::parse(std::ifstream(path))["totals"][event].get<double>();
  }
};

TEST_F(CacheMap, NamesWhatConflictsAndWhatSpreadingItSaves) {
  nlohmann::json said = map({example("aligned_buffers")}, "l2_cache_miss", {});
  ASSERT_TRUE(said.is_object());
  EXPECT_EQ(said["pressure"], "conflict");
  EXPECT_EQ(said["addresses"], "virtual");
  ASSERT_EQ(said["all_crowded"], 1) << said["crowded"];
  const nlohmann::json& region = said["crowded"][0];
  EXPECT_GE(region["most_ways"].get<int>(), 64);
  EXPECT_THAT(region["objects"][0]["name"].get<std::string>(), HasSubstr("global buffers"));
  EXPECT_EQ(region["objects"][0]["pages"], 64);
  EXPECT_EQ(region["types"][0]["name"], "struct buffer");
  EXPECT_EQ(region["functions"][0]["name"], "answer");

  double predicted = said["spread"]["removed"]["value"];
  EXPECT_GE(predicted, 0.8);
  double saved = 1 - misses({example("aligned_buffers_mended")}, "l2_cache_miss") /
                         misses({example("aligned_buffers")}, "l2_cache_miss");
  EXPECT_GE(saved, 0.8);
  EXPECT_NEAR(predicted, saved, saved / 5);
}

TEST_F(CacheMap, GoesByTheModelledTlbs) {
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  Outcome recorded = hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() + kMapMachine +
                               Words{"--tlb", "100000", "-e", "memory_moves", "-c", "97", "--"} +
                               Words{example("aligned_buffers")});
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  nlohmann::json said = nlohmann::json::parse(hardmeter({"map", "--json", "-i", path}).out, nullptr, false);
  ASSERT_TRUE(said.is_object());
  EXPECT_GE(said["tlb_states"], 10);
  EXPECT_EQ(said["pressure"], "conflict");
  // 64 buffers begin in one region; the TLBs hold all of them, and a few pages of libraries.
  const nlohmann::json& region = said["crowded"][0];
  EXPECT_GE(region["most_ways"].get<int>(), 64);
  EXPECT_LE(region["most_ways"].get<int>(), 80);
  EXPECT_THAT(region["objects"][0]["name"].get<std::string>(), HasSubstr("global buffers"));
  EXPECT_EQ(hardmeter({"check", "-i", path}).status, 0);
}

TEST_F(CacheMap, OfWhatFitsNamesNothing) {
  nlohmann::json said = map({example("aligned_buffers_mended")}, "l1_cache_miss", {});
  EXPECT_EQ(said["pressure"], "fits");
  EXPECT_EQ(said["all_crowded"], 0) << said["crowded"];
}

TEST_F(CacheMap, OfATooLargeWorkingSetIsCapacity) {
  nlohmann::json said = map({example("blocking")}, "l1_cache_miss", {});
  EXPECT_EQ(said["pressure"], "capacity");
  EXPECT_EQ(said["all_crowded"], 32);
}

TEST_F(CacheMap, OfSingleSetsOfTheFirstLevelNamesTheColumn) {
  nlohmann::json said = map({example("padded_matrix")}, "l1_cache_miss", {"--level", "l1d", "--sets"});
  EXPECT_EQ(said["mean_ways"].size(), 64u);
  EXPECT_EQ(said["page_bytes"], 64);
  ASSERT_FALSE(said["crowded"].empty());
  EXPECT_THAT(said["crowded"][0]["objects"][0]["name"].get<std::string>(), HasSubstr("global matrix"));
}

TEST_F(CacheMap, OfAllSizesIsToldOfObjectsAndLines) {
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  Outcome recorded =
      hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() + kMapMachine +
                Words{"--sizes", "-e", "memory_moves", "-c", "97", "--", example("aligned_buffers")});
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  const auto first = [&](const std::string& by) {
    Outcome told = hardmeter({"map", "--sizes", "--json", "-i", path, "--by", by});
    nlohmann::json json = nlohmann::json::parse(told.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << told.err;
    if (!json.is_object()) return std::string();
    return json.value(nlohmann::json::json_pointer("/" + by + "s/0/" + by), "");
  };
  EXPECT_THAT(first("object"), HasSubstr("global buffers"));
  EXPECT_THAT(first("line"), HasSubstr("aligned_buffers.c:"));
  EXPECT_THAT(first("function"), HasSubstr("answer"));
}

TEST_F(CacheMap, SaysWhatItCannotDo) {
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  ASSERT_EQ(hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() +
                      Words{"-e", "instr_retired", "-c", "1000", "true"})
                .status,
            0);
  const auto said = [&](const Words& options) {
    Outcome outcome = hardmeter(Words{"map", "-i", path} + options);
    EXPECT_NE(outcome.status, 0);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_THAT(said({}), HasSubstr("has a data address"));
  EXPECT_THAT(said({"--cache", "1M"}), HasSubstr("--cache 1M is not a cache"));
  EXPECT_THAT(said({"--cache", "96K,12,64", "--page", "12K"}), HasSubstr("choose another page size"));
  EXPECT_THAT(said({"--page", "x"}), HasSubstr("--page x is not a size"));
}

}  // namespace
}  // namespace hm::soft_pmu_test
