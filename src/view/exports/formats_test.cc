// SPDX-License-Identifier: MIT
// Contents of each format's file for a small profile. tests/cli/exports.sh checks that other tools can read
// the files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/json.h"
#include "view/exports/callgrind.h"
#include "view/exports/chrome.h"
#include "view/exports/firefox.h"
#include "view/exports/folded.h"
#include "view/exports/speedscope.h"
#include "view/exports/test_profile.h"

namespace hm::exports {
namespace {

using ::testing::HasSubstr;

void expect_json(const nlohmann::json& found, std::string_view expected) {
  EXPECT_EQ(found, parse_json(expected));
}

TEST(FoldedStacks, AreALineEachWithNothingToBreakAt) {
  TestProfile test;
  EXPECT_EQ(written(write_folded, test.first_event()),
            "program;main;work<int, long> 30\n"
            "work:er;(2) a:b\\x0a\"c\" \xef\xbf\xbd 5\n");
}

TEST(CallgrindFile, HasCostsOfPlacesAndCalls) {
  TestProfile test;
  EXPECT_EQ(written(write_callgrind, test.selection()),
            "# callgrind format\nversion: 1\ncreator: hardmeter\n"
            "positions: instr line\n"
            "event: l1_cache_miss : l1_cache_miss\n"
            "event: cpu_mem_loads_ldlat_30_ : cpu/mem-loads,ldlat=30/\n"
            "events: l1_cache_miss cpu_mem_loads_ldlat_30_\n"
            "summary: 35 3\n"
            "\nob=(1) /no/program\nfl=(1) ???\nfn=(1) main\n"
            "cob=(1)\ncfn=(2) work<int, long>\n"
            "calls=3 0x200 0\n0x110 0 30 3\n"
            "\nob=(1)\nfl=(1)\nfn=(2)\n0x210 0 10 0\n0x220 0 20 3\n"
            "\nob=(1)\nfl=(1)\nfn=(3) (2) a;b\\x0a\"c\" \xef\xbf\xbd\n0x300 0 5 0\n");
}

TEST(CallgrindFile, CountsTheOutermostCallOfAFunctionInASample) {
  TestProfile test;
  test.rows.clear();
  test.add(0, 0, {1, 0, 1, 0, 0}, 4, 5000);  // work, main, work, main, main
  std::string text = written(write_callgrind, test.selection());
  EXPECT_THAT(text,
              HasSubstr("fn=(1) main\ncob=(1)\ncfn=(2) work<int, long>\ncalls=1 0x200 0\n0x110 0 4\n\n"));
  EXPECT_THAT(text, HasSubstr("fn=(2)\n0x210 0 4\n\n"));
  EXPECT_THAT(text, HasSubstr("fn=(3) [no caller]\ncob=(1)\ncfn=(1)\ncalls=1 0x100 0\n0x0 0 4\n"));
}

TEST(SpeedscopeFile, HasAProfileForEachEventAndThread) {
  TestProfile test;
  nlohmann::json file = parse_json(written(write_speedscope, test.selection()));
  ASSERT_EQ(file["profiles"].size(), 3u);
  const nlohmann::json& first = file["profiles"][0];
  EXPECT_EQ(first["name"], "l1_cache_miss: program (7)");
  EXPECT_EQ(first["endValue"], 30);
  EXPECT_EQ(first["weights"], parse_json("[10, 20]"));
  EXPECT_EQ(first["samples"], parse_json("[[1, 0], [1, 0]]"));
  EXPECT_EQ(file["shared"]["frames"][0]["name"], "work<int, long>");
  EXPECT_EQ(file["shared"]["frames"][2]["name"], "(2) a;b\n\"c\" \xef\xbf\xbd");
}

TEST(ChromeFile, HasInstantsWithStacksAndCounters) {
  TestProfile test;
  test.profile.occupancy.push_back({"web [7]", 7, false, 0, {{1000, 4096, {}}, {2000, {}, {}}}});
  nlohmann::json file = parse_json(written(write_chrome, test.selection()));
  const nlohmann::json& events = file["traceEvents"];
  expect_json(events[0], R"({"ph":"M","name":"process_name","pid":7,"tid":7,"args":{"name":"program"}})");
  EXPECT_EQ(events[2]["args"]["name"], "work;er");
  expect_json(events[3], R"--({"ph":"i","s":"t","name":"work<int, long>","cat":"l1_cache_miss","pid":7,
                               "tid":7,"ts":0.0,"sf":1,
                               "args":{"events":10,"object":"global table (program)"}})--");
  EXPECT_EQ(events[5]["ts"], 1.5);
  expect_json(events.back(), R"({"ph":"C","name":"last-level cache: web [7]","pid":7,"tid":7,"ts":0.0,
                                          "args":{"bytes":4096}})");
  expect_json(file["stackFrames"]["1"], R"({"name":"work<int, long>","category":"program","parent":"0"})");
}

TEST(FirefoxFile, HasAThreadForEachEventAndThread) {
  TestProfile test;
  nlohmann::json file = parse_json(written(write_firefox, test.selection()));
  ASSERT_EQ(file["threads"].size(), 3u);
  const nlohmann::json& first = file["threads"][0];
  EXPECT_EQ(first["name"], "program: l1_cache_miss");
  EXPECT_EQ(first["isMainThread"], true);
  EXPECT_EQ(file["threads"][2]["isMainThread"], false);
  expect_json(first["samples"], R"({"length":2,"weightType":"samples","stack":[1,2],
                                             "time":[0.0,0.001],"weight":[10,20]})");
  EXPECT_EQ(first["stackTable"]["prefix"], parse_json("[null, 0, 0]"));
  EXPECT_EQ(first["frameTable"]["func"], parse_json("[0, 1, 1]"));
  EXPECT_EQ(first["frameTable"]["address"], parse_json("[272, 528, 544]"));
  expect_json(first["stringArray"], R"(["main","work<int, long>","program"])");
  EXPECT_EQ(file["libs"][0]["breakpadId"], "33221100554477668899AABBCCDDEEFF0");
}

TEST(FirefoxFile, CallsThreadsByTheirNamesWhereThereIsOneEvent) {
  TestProfile test;
  nlohmann::json file = parse_json(written(write_firefox, test.first_event()));
  EXPECT_EQ(file["threads"][1]["name"], "work;er");
  EXPECT_EQ(file["threads"][1]["tid"], 8);
}

TEST(Exports, AreWholeWithoutSamples) {
  TestProfile test;
  test.rows.clear();
  EXPECT_EQ(written(write_folded, test.selection()), "");
  EXPECT_THAT(written(write_callgrind, test.selection()), HasSubstr("summary: 0 0\n"));
  for (auto* write : {write_speedscope, write_chrome, write_firefox})
    EXPECT_FALSE(parse_json(written(write, test.selection())).is_discarded());
}

}  // namespace
}  // namespace hm::exports
