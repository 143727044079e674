// SPDX-License-Identifier: MIT
#include "host/calibration/machine_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/temporary_folder.h"
#include "host/calibration/profile_json.h"
#include "host/calibration/quantities.h"
#include "host/calibration/repeated.h"
#include "host/calibration/rounds.h"
#include "host/calibration/saved_profile.h"
#include "host/calibration/test_profile.h"

namespace hm::host {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(MachineProfile, NamesWhatRepetitionsDoNotAgreeOn) {
  MachineProfile profile = example_profile();
  EXPECT_THAT(unsteady_quantities(profile), ElementsAre());
  profile.levels[1].overlap[1].ns = {50, 49, 58};
  profile.walks[1].ns = {70, 40, 71};
  EXPECT_THAT(unsteady_quantities(profile),
              ElementsAre("memory latency, 2 chains", "walk by -128 bytes, 2 streams, 4 KiB pages"));
}

TEST(MachineProfile, KnowsHowManyLoadsOverlap) {
  EXPECT_DOUBLE_EQ(max_overlap(example_profile().levels[1]), 2);
  EXPECT_DOUBLE_EQ(max_overlap(LevelProfile()), 1);
  LevelProfile disturbed;
  disturbed.overlap = {{1, {100, 100, 100}}, {32, {1, 1, 1}}};
  EXPECT_DOUBLE_EQ(max_overlap(disturbed), 32);
}

TEST(MachineProfile, IsReadAsItWasWritten) {
  std::string text = indented_json(to_json(example_profile()));
  Result<MachineProfile> read = machine_profile_in(text);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(indented_json(to_json(*read)), text);
}

TEST(MachineProfile, ThatIsDamagedIsRefused) {
  nlohmann::json whole = parse_json(indented_json(to_json(example_profile())));
  const auto is_refused = [&](auto damage) {
    nlohmann::json json = whole;
    damage(json);
    return !machine_profile_in(json_line(json)).ok();
  };
  EXPECT_FALSE(is_refused([](nlohmann::json&) {}));
  EXPECT_TRUE(is_refused([](nlohmann::json& json) { json["machine_profile"] = 1; }));
  EXPECT_TRUE(is_refused([](nlohmann::json& json) { json["levels"] = nlohmann::json::array(); }));
  EXPECT_TRUE(is_refused([](nlohmann::json& json) { json["levels"][0]["overlap"][0]["ns"]["low"] = 0; }));
  EXPECT_TRUE(is_refused([](nlohmann::json& json) { json["levels"][0]["overlap"][0]["chains"] = -1; }));
  EXPECT_TRUE(is_refused([](nlohmann::json& json) { json["core_ghz"] = "fast"; }));
  EXPECT_TRUE(is_refused([](nlohmann::json& json) { json["core_ghz"]["value"] = 1e300; }));
  EXPECT_TRUE(is_refused([](nlohmann::json& json) { json["hazards"].erase("split_line_ns"); }));
  EXPECT_TRUE(is_refused([](nlohmann::json& json) { json["walks"] = 7; }));
  EXPECT_FALSE(machine_profile_in("").ok());
  EXPECT_FALSE(machine_profile_in("[]").ok());
}

TEST(Rounds, GiveTheSecondBestOfEachQuantity) {
  std::vector<MachineProfile> rounds(5, example_profile());
  for (size_t i = 0; i < rounds.size(); ++i) {
    rounds[i].levels[1].overlap[0].ns = about(100 + 10 * static_cast<double>(i));
    rounds[i].levels[1].bandwidth->read = about(10 + static_cast<double>(i));
    rounds[i].preemptions = 1;
  }
  rounds[3].levels[1].overlap[0].ns = about(1000);
  MachineProfile profile = combined(rounds);
  EXPECT_DOUBLE_EQ(profile.levels[1].overlap[0].ns.value, 110);
  EXPECT_DOUBLE_EQ(profile.levels[1].overlap[0].ns.low, 100);
  EXPECT_DOUBLE_EQ(profile.levels[1].overlap[0].ns.high, 120);
  EXPECT_DOUBLE_EQ(profile.levels[1].bandwidth->read.value, 13);
  EXPECT_EQ(profile.preemptions, 5u);
}

TEST(SavedProfile, IsReplacedAtOnceAndNamesItsFile) {
  TemporaryFolder folder;
  std::string path = folder.file("config/hardmeter/machine.json");
  EXPECT_EQ(read_profile(path).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(save_profile(example_profile(), path).ok());
  ASSERT_TRUE(save_profile(example_profile(), path).ok());
  Result<MachineProfile> read = read_profile(path);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->cpu_name, "Example");
  ASSERT_EQ(::truncate(path.c_str(), 100), 0);
  EXPECT_THAT(read_profile(path).error().message, HasSubstr(path));
  EXPECT_EQ(save_profile(example_profile(), "/proc/no/such").error().code, ErrorCode::kIo);
}

TEST(SavedProfile, OfAnotherProcessorIsNoticed) {
  EXPECT_THAT(mismatch(example_profile()).value_or(""), HasSubstr("hardmeter calibrate"));
}

TEST(Repeated, DifferencesHaveIndependentErrors) {
  Estimate found = difference({10, 7, 14}, {6, 3, 10});
  EXPECT_DOUBLE_EQ(found.value, 4);
  EXPECT_DOUBLE_EQ(found.low, 4 - 5);
  EXPECT_DOUBLE_EQ(found.high, 4 + 5);
}

TEST(Repeated, TimesEachStep) {
  uint64_t all = 0;
  Estimate ns = time_of_step({.count = 5, .min_ns = 1000}, [&](uint64_t steps) {
    uint64_t end = now_ns() + 100 * steps;
    while (now_ns() < end) {
    }
    all += steps;
    return steps;
  });
  EXPECT_GE(ns.low, 100);
  EXPECT_GT(all, 5u);
}

}  // namespace
}  // namespace hm::host
