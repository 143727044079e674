// SPDX-License-Identifier: MIT
// What `explain` says of each example: the class, the object and field, the walk, the pattern, and a gain
// that the mended twin then measures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>

#include "base/json.h"
#include "measuring.h"
#include "meeting.h"
#include "plain_environment.h"

namespace hm::soft_pmu_test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

struct Told {
  std::string name;
  std::string event;
  std::string function;
  std::string miss_class;  // of most misses; empty: the event has none
  std::string shape;
  std::string object;  // a part of its text, as of the next; empty: of code
  std::string field;
  std::string pattern;
  bool gain = false;       // is told, and measured by the twin
  Words mended_options{};  // of the twin's machine
  Words arguments{};
};

bool is_of_threads(const Told& told) { return told.name == "false_sharing" || told.name == "test_and_set"; }

std::string title(const Told& told) {
  return told.arguments.empty() ? told.name : fmt::format("{}_{}", told.name, fmt::join(told.arguments, "_"));
}

void PrintTo(const Told& told, std::ostream* out) { *out << title(told); }

const Words kMachine = {"--cpu", "zen4"};
constexpr int kPeriod = 199;
constexpr double kEnoughMeetings = 40000;  // 200 samples, of several places, and far more than the twin has

class Explained : public WithPlainEnvironment, public ::testing::WithParamInterface<Told> {
 protected:
  void SetUp() override {
    if (!is_of_threads(GetParam())) return;
    skip_without_cores();
    run_before_others();
  }

  struct Said {
    Json places = Json::array();  // of the event, hottest first
    double events = 0;            // how often it came about
    double together_s = 0;        // Outcome's of the recording
  };

  static Said explain(const Told& program) {
    TemporaryFolder folder;
    std::string path = folder.file("perf.data");
    Outcome recorded = hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() + kMachine +
                                 Words{"-e", program.event, "-c", std::to_string(kPeriod), "--"} +
                                 Words{example(program.name)} + program.arguments);
    EXPECT_EQ(recorded.status, 0) << recorded.err;
    Outcome told = hardmeter({"explain", "--json", "-i", path, "--limit", "0"});
    Json json = Json::parse(told.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << told.err;
    if (!json.is_object() || json["events"].empty()) return {};
    return {json["events"][0]["places"], json["events"][0]["estimated"].get<double>(), recorded.together_s};
  }
  // Nothing where its threads do not meet.
  static std::optional<Said> explain_meetings(const Told& told) {
    auto once = [&] { return explain(told); };
    if (!is_of_threads(told)) return once();
    return until_threads_meet(once, [&](const Said& said) { return said.events >= kEnoughMeetings; });
  }

  // Of the two hottest places, as a line and what it takes from another are as hot, the one in the function.
  static Json hottest_in(const Json& places, const std::string& function) {
    for (size_t i = 0; i < places.size() && i < 2; ++i) {
      if (places[i]["function"].get<std::string>().find(function) != std::string::npos) return places[i];
    }
    return {};
  }

  static double events(const Told& told, const std::string& name, const Words& options) {
    TemporaryFolder folder;
    std::string path = folder.file("counts.json");
    Outcome counted = hardmeter(Words{"stat", "--json", "-o", path} + soft_pmu() + kMachine + options +
                                Words{"-e", told.event, "--", example(name)} + told.arguments);
    EXPECT_EQ(counted.status, 0) << counted.err;
    return Json::parse(std::ifstream(path))["totals"][told.event].get<double>();
  }
  // The fewest of several runs where that depends on how often threads meet.
  static double fewest_events(const Told& told, const std::string& name, const Words& options) {
    double fewest = events(told, name, options);
    for (int again = 1; is_of_threads(told) && again < 5; ++again)
      fewest = std::min(fewest, events(told, name, options));
    return fewest;
  }
};

class Predicted : public Explained {};

TEST_P(Explained, SaysWhatItIsAbout) {
  const Told& told = GetParam();
  std::optional<Said> said = explain_meetings(told);
  if (!said) GTEST_SKIP() << kOneAfterTheOther;
  Json place = hottest_in(said->places, told.function);
  ASSERT_TRUE(place.is_object()) << said->places;
  EXPECT_GT(place["line"].get<int>(), 0);
  if (!told.miss_class.empty()) {
    ASSERT_TRUE(place["classes"].contains(told.miss_class)) << place;
    EXPECT_GT(place["classes"][told.miss_class]["share"]["value"].get<double>(), 0.8) << place;
    EXPECT_EQ(place["estimated_class"]["class"], told.miss_class) << "as of samples without classes";
  }
  if (!told.shape.empty()) {
    EXPECT_EQ(place["shape"], told.shape) << place;
  }
  if (!told.object.empty()) {
    EXPECT_THAT(place["objects"][0]["object"].get<std::string>(), HasSubstr(told.object));
    EXPECT_THAT(place["objects"][0]["field"].get<std::string>(), HasSubstr(told.field));
  }
  ASSERT_TRUE(place["advice"].is_object()) << place;
  EXPECT_EQ(place["advice"]["pattern"], told.pattern);
  if (told.pattern == "hot_and_cold_fields") {
    EXPECT_EQ(place["field_order"]["together"], Json::array({"terms"}));
    EXPECT_EQ(place["field_order"]["not_met"], Json::array({"customer"}));
  }
}

// The best that is predicted of a run, of all places together, is within a fifth of the most that the twin
// saves of it.
TEST_P(Predicted, TheTwinSavesAsMuch) {
  const Told& told = GetParam();
  std::optional<Said> said = explain_meetings(told);
  if (!said) GTEST_SKIP() << kOneAfterTheOther;
  double predicted = 0;
  for (const Json& place : said->places) {
    if (!place["advice"].is_object() || !place["advice"]["gain"].is_object()) continue;
    predicted += place["share"]["value"].get<double>() * place["advice"]["gain"]["high"].get<double>();
  }
  double saved = 1 - fewest_events(told, told.name + "_mended", told.mended_options) / said->events;
  EXPECT_NEAR(predicted, saved, saved / 5);
}

Told transpose_of(const std::string& rows) {
  return {"transpose", "l1_cache_miss",       "transpose", "capacity", "strided", "heap block of make_matrix",
          "double",    "power_of_two_stride", true,        {},         {rows}};
}

const std::vector<Told> kExamples = {
    {"padded_matrix", "l1_cache_miss", "centre_columns", "conflict", "strided", "global matrix", "matrix[][]",
     "power_of_two_stride", true},
    {"interchange", "l1_cache_miss", "sum", "capacity", "strided", "", "", "column_walk", true},
    transpose_of("512"),
    transpose_of("1024"),
    transpose_of("2048"),
    {"blocking", "l1_cache_miss", "count_equal", "capacity", "sequential", "", "", "working_set", true},
    {"gather", "l1_cache_miss", "look_up", "capacity", "indirect", "", "", "random_table"},
    {"prefetch", "l2_cache_miss", "probe", "capacity", "computed", "global table", "table[]", "random_table",
     true},
    {"scan", "l3_cache_miss", "count_above", "compulsory", "sequential", "", "", "cold_scan"},
    {"list_to_array", "l2_cache_miss", "walk", "capacity", "pointer_chase", "heap block of make",
     "struct node.", "pointer_chase", true},
    {"hot_cold_split", "l1_cache_miss", "turnover", "capacity", "sequential", "global orders",
     "orders[].terms.price", "hot_and_cold_fields", true},
    {"false_sharing", "shared_line_hit", "work", "false sharing", "one_place", "global counters",
     "counters[].done", "false_sharing", true},
    {"test_and_set", "l2_cache_miss", "lock", "", "one_place", "global shared", "shared.taken", "spin_lock",
     true},
    {"cold_code", "icache_miss", "", "", "", "", "", "instruction_misses"},
    {"huge_page_table",
     "dtlb_load_miss",
     "look_up",
     "",
     "computed",
     "heap block of make_table",
     "long unsigned",
     "random_table",
     true,
     {"--page", "2M"}},
    {"straddling_struct", "split_load_retired", "distance", "", "", "global records", "records[].",
     "split_and_blocked_accesses", true},
    {"store_forward", "mob_load_replay_retired", "", "", "", "", "", "split_and_blocked_accesses", true},
};

std::string example_of(const ::testing::TestParamInfo<Told>& each) { return title(each.param); }

std::vector<Told> with_gain() {
  std::vector<Told> some;
  std::ranges::copy_if(kExamples, std::back_inserter(some), &Told::gain);
  return some;
}

INSTANTIATE_TEST_SUITE_P(, Predicted, ::testing::ValuesIn(with_gain()), example_of);
INSTANTIATE_TEST_SUITE_P(, Explained, ::testing::ValuesIn(kExamples), example_of);

}  // namespace
}  // namespace hm::soft_pmu_test
