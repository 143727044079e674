// SPDX-License-Identifier: MIT
#include "analysis/diff/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/diff/test_recordings.h"
#include "base/json.h"

namespace hm::diff {
namespace {

using ::testing::HasSubstr;

Recording example() {
  Recording recording = test_recording(10'000.0, {{"f", 60}, {"g", 39}, {"small", 1}});
  recording.engine = "an engine";
  recording.layout = "3";
  recording.remarks = {"the run was interrupted"};
  recording.events[0].complete = true;
  recording.events[1].running = 0.25;
  recording.processor_features = "avx2 erms";
  recording.processor_caches = "L2 1024K";
  recording.knows_inlines = true;
  recording.events[0].inlined[{{"f", "program"}, {"walk", "load"}}] = {20, 2'000};
  recording.events[0].inlined[{{"small", "program"}, {"walk"}}] = {1, 100};
  recording.origins["f"] = {"f.c", 7, {.instructions = 9, .minima = {1, 2, 0xffff}}, "source"};
  recording.origins["small"] = {"f.c", 8, {}};
  recording.events[1].total = 1e6 / 3;
  return recording;
}

TEST(Baseline, ReadsWhatItWrites) {
  Recording written = example();
  Result<Recording> read = read_baseline(write_baseline(written, 0.05), "b.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(read->baseline);
  EXPECT_EQ(read->name, "b.json");
  EXPECT_EQ(read->pmu, "software");
  EXPECT_EQ(read->layout, "3");
  EXPECT_EQ(read->engine, "an engine");
  EXPECT_EQ(read->command, written.command);
  EXPECT_EQ(read->remarks, written.remarks);
  EXPECT_EQ(read->columns, written.columns);
  EXPECT_EQ(read->rows_from, 0.05);
  const Event* miss = read->event("miss");
  ASSERT_NE(miss, nullptr);
  EXPECT_EQ(miss->total, 10'000);
  EXPECT_TRUE(miss->counted && miss->sampled && miss->complete);
  EXPECT_EQ(miss->samples, 100u);
  EXPECT_EQ(miss->weight, 10'000u);
  EXPECT_EQ(miss->rows.size(), 2u);  // the small row is omitted
  EXPECT_EQ(miss->rows.at({"f", "program"}).weight, 6'000u);
  EXPECT_TRUE(read->knows_inlines);
  EXPECT_EQ(miss->inlined.size(), 1u);
  EXPECT_EQ(miss->inlined.at({{"f", "program"}, {"walk", "load"}}).weight, 2'000u);
  EXPECT_EQ(read->processor_features, written.processor_features);
  EXPECT_EQ(read->processor_caches, written.processor_caches);
  ASSERT_EQ(read->origins.size(), 1u);
  EXPECT_EQ(read->origins.at("f").file, "f.c");
  EXPECT_EQ(read->origins.at("f").line, 7u);
  EXPECT_EQ(read->plain_name("f"), "source");
  EXPECT_EQ(read->origins.at("f").code, written.origins.at("f").code);
  const Event* instructions = read->event("instr_retired");
  EXPECT_DOUBLE_EQ(*instructions->total, 1e6 / 3);
  EXPECT_DOUBLE_EQ(instructions->running, 0.25);
  EXPECT_TRUE(instructions->instructions);
  EXPECT_FALSE(instructions->sampled);
}

TEST(Baseline, KeepsThatItIsOfAPart) {
  Recording written = example();
  EXPECT_FALSE(read_baseline(write_baseline(written, 0), "b.json")->partial);
  written.partial = true;
  EXPECT_TRUE(read_baseline(write_baseline(written, 0), "b.json")->partial);
}

TEST(Baseline, IsStableAndReadable) {
  Recording recording = test_recording(100, {{"f\xff", 1}});
  EXPECT_EQ(write_baseline(recording, 0.005), R"({
 "schema": 1,
 "kind": "hardmeter baseline",
 "pmu": "software",
 "machine": "L1",
 "command": [
  "./program",
  "1"
 ],
 "columns": [
  "function",
  "dso"
 ],
 "rows_from": 0.005,
 "events": {
  "miss": {
   "total": 100,
   "counted": true,
   "sampled": {
    "samples": 1,
    "effective_samples": 1.0,
    "weight": 100,
    "rows": [
     {
      "function": "f)"
                                              "\uFFFD"
                                              R"(",
      "dso": "program",
      "samples": 1,
      "weight": 100
     }
    ]
   }
  },
  "instr_retired": {
   "total": 1000000,
   "counted": true,
   "instructions": true
  }
 }
}
)");
}

std::string error_of(const std::string& text) {
  Result<Recording> read = read_baseline(text, "b.json");
  EXPECT_FALSE(read.ok()) << text.substr(0, 200);
  if (read.ok()) return "";
  EXPECT_EQ(read.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(read.error().message, HasSubstr("b.json"));
  return read.error().message;
}

TEST(Baseline, RefusesWhatIsNoBaseline) {
  EXPECT_THAT(error_of(""), HasSubstr("is empty"));
  EXPECT_THAT(error_of(" \n"), HasSubstr("is empty"));
  for (const char* mark : {"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"})
    EXPECT_THAT(error_of(mark + write_baseline(example(), 0)), HasSubstr("byte order mark"));
  EXPECT_THAT(error_of("{\"schema\": 1"), HasSubstr("neither"));
  EXPECT_THAT(error_of("[1]"), HasSubstr("not a baseline"));
  EXPECT_THAT(error_of("{\"schema\": 1}"), HasSubstr("not a baseline"));
  EXPECT_THAT(error_of(R"({"kind": "hardmeter baseline", "schema": 2})"), HasSubstr("schema"));
  EXPECT_THAT(error_of(R"({"kind": "hardmeter baseline", "schema": 1})"), HasSubstr("'pmu'"));
}

// Replaces each member in turn by an invalid value, and removes each required member.
TEST(Baseline, RefusesEachWrongMember) {
  const auto good = nlohmann::json::parse(write_baseline(example(), 0.05));
  for (const char* path : {"/pmu",
                           "/machine",
                           "/command",
                           "/remarks",
                           "/columns",
                           "/rows_from",
                           "/events",
                           "/events/miss",
                           "/events/miss/total",
                           "/events/miss/counted",
                           "/events/miss/sampled",
                           "/events/miss/sampled/samples",
                           "/events/miss/sampled/weight",
                           "/events/miss/sampled/effective_samples",
                           "/events/miss/sampled/rows",
                           "/events/miss/sampled/rows/0",
                           "/events/miss/sampled/rows/0/function",
                           "/events/miss/sampled/rows/0/samples",
                           "/events/miss/sampled/rows/0/weight",
                           "/events/miss/sampled/inlined",
                           "/events/miss/sampled/inlined/0",
                           "/events/miss/sampled/inlined/0/functions",
                           "/events/miss/sampled/inlined/0/weight",
                           "/functions",
                           "/functions/f",
                           "/functions/f/file",
                           "/functions/f/line",
                           "/functions/f/code"}) {
    for (const auto& wrong : {nlohmann::json(), nlohmann::json(-1), nlohmann::json(1e300),
                              nlohmann::json(nlohmann::json::array({nullptr}))}) {
      auto bad = good;
      bad[nlohmann::json::json_pointer(path)] = wrong;
      EXPECT_THAT(error_of(bad.dump()), HasSubstr("missing or wrong")) << path << wrong;
    }
  }
  for (const char* path : {"/pmu", "/columns", "/events", "/events/miss/sampled/samples",
                           "/events/miss/sampled/rows/0/dso", "/events/miss/sampled/rows/0/weight"}) {
    nlohmann::json::json_pointer pointer(path);
    auto bad = good;
    bad[pointer.parent_pointer()].erase(pointer.back());
    EXPECT_THAT(error_of(bad.dump()), HasSubstr("missing or wrong")) << path;
  }
  auto taken = good;
  taken["columns"] = {"function", "weight"};
  EXPECT_THAT(error_of(taken.dump()), HasSubstr("'columns'"));
  auto twice = good;
  twice["/events/miss/sampled/rows/1/function"_json_pointer] = "f";
  EXPECT_THAT(error_of(twice.dump()), HasSubstr("'rows'"));
}

TEST(Baseline, SurvivesNestingAndEveryCut) {
  std::string deep(2'000'000, '[');
  for (const char* member : {"kind", "schema", "command", "events", "pmu"}) {
    std::string text = std::string("{\"kind\": \"hardmeter baseline\", \"schema\": 1, \"") + member +
                       "\": " + deep + std::string(deep.size(), ']') + "}";
    (void)error_of(text);
  }
  std::string whole = write_baseline(example(), 0);
  for (size_t size = 1; size + 3 < whole.size(); ++size)
    EXPECT_THAT(error_of(whole.substr(0, size)), HasSubstr("neither"));
}

}  // namespace
}  // namespace hm::diff
