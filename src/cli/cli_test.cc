// SPDX-License-Identifier: MIT
// Tests of the program as the user runs it: output, standard error and exit status.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/json.h"
#include "base/shell_word.h"
#include "event/event_template.h"
#include "record/example_recording.h"
#include "record/writer.h"
#include "support/paths.h"

namespace hm::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
};

std::string read_all(FILE* file) {
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  return text;
}

class Cli : public ::testing::Test {
 protected:
  // `rest` follows the arguments in the shell command.
  Outcome run(const std::string& arguments, const std::string& rest = "") {
    std::string errors = folder_.file("stderr");
    FILE* pipe =
        ::popen((shell_word(test_paths::kHardmeter) + " " + arguments + " 2>" + errors + rest).c_str(), "r");
    Outcome outcome;
    outcome.out = read_all(pipe);
    outcome.status = WEXITSTATUS(::pclose(pipe));
    std::ifstream file(errors);
    outcome.err.assign(std::istreambuf_iterator<char>(file), {});
    return outcome;
  }

  std::string recording(uint64_t samples = 100, const std::string& private_json = R"({"pmu":"software"})") {
    std::vector<record::EventDescription> events = record::example::events();
    std::string path = folder_.file("perf.data");
    auto writer = record::Writer::create(path, events);
    EXPECT_TRUE(writer.ok());
    EXPECT_TRUE(writer->append(record::example::records(events, samples)).ok());
    record::Features features;
    features.cmdline = {"hardmeter", "record", "./example"};
    features.hardmeter = private_json;
    EXPECT_TRUE(writer->finish(features).ok());
    return path;
  }

  record::example::TemporaryFolder folder_;
};

TEST_F(Cli, VersionAndHelp) {
  EXPECT_EQ(run("--version").out, "hardmeter " HM_VERSION "\n");
  Outcome help = run("--help");
  EXPECT_EQ(help.status, 0);
  for (const char* command : {"report", "annotate", "diff", "list", "check"}) {
    EXPECT_THAT(help.out, HasSubstr(command));
    EXPECT_EQ(run(std::string(command) + " --help").status, 0) << command;
  }
}

TEST_F(Cli, WrongUsageIsOneSentenceAndStatus2) {
  Outcome unknown = run("reprot");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, StartsWith("hardmeter: unknown command 'reprot'; did you mean 'report'?"));
  EXPECT_THAT(run("hlep").err, HasSubstr("did you mean 'help'?"));
  EXPECT_THAT(run("qqqqqqqq").err, StartsWith("hardmeter: unknown command 'qqqqqqqq' (hardmeter"));
  for (const char* wrong : {"report --bogus", "report --sort nothing", "report --limit many"}) {
    Outcome outcome = run(std::string(wrong) + " -i " + recording());
    EXPECT_EQ(outcome.status, 2) << wrong;
    EXPECT_THAT(outcome.err, MatchesRegex("hardmeter: [^\n]*\n")) << wrong;
    EXPECT_EQ(outcome.out, "") << wrong;
  }
}

TEST_F(Cli, HiddenOptionsAreNamedOnlyInTheirErrors) {
  EXPECT_THAT(run("record --gap-slots none true").err,
              StartsWith("hardmeter: --gap-slots: 'none' is not a whole number above 0"));
  EXPECT_THAT(run("record --help").out, Not(HasSubstr("--gap-slots")));
}

TEST_F(Cli, WhatCannotBeReadIsOneSentenceAndStatus1) {
  for (const char* command : {"report", "annotate", "check"}) {
    Outcome outcome = run(std::string(command) + " -i /nonexistent/perf.data");
    EXPECT_EQ(outcome.status, 1) << command;
    EXPECT_THAT(outcome.err, MatchesRegex("hardmeter: [^\n]*/nonexistent/perf.data[^\n]*\n")) << command;
  }
}

TEST_F(Cli, ReportsWhoMeasuredAndWhat) {
  Outcome outcome = run("report --sort dso,comm -i " + recording());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("# measured by: software PMU\n# command: hardmeter record ./example\n"));
  EXPECT_THAT(outcome.out, HasSubstr("# event cache-miss: 50 samples, about 50,000 events\n"));
  EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("\x1b")));
}

TEST_F(Cli, ReportsJson) {
  auto json = nlohmann::json::parse(run("report --json -e tlb-miss --sort comm -i " + recording()).out);
  EXPECT_EQ(json["rows"].size(), 1u);
  EXPECT_EQ(json["rows"][0]["counts"], (nlohmann::json{{"tlb-miss", 50}}));
  EXPECT_EQ(json["recording"]["pmu"], "software");
}

TEST_F(Cli, DiffComparesTwoRecordings) {
  std::string path = recording();
  Outcome same = run("diff " + path + " " + path);
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_THAT(same.out, StartsWith("# before: " + path + "\n"));
  EXPECT_THAT(same.out, HasSubstr("\n# measured by: software PMU\n# command: hardmeter record ./example\n"));
  EXPECT_THAT(same.out,
              HasSubstr("# cache-miss by function: estimates from samples, 50 before and 50 after\n"));
  auto json = nlohmann::json::parse(run("diff --json -e tlb-miss --sort comm " + path + " " + path).out);
  EXPECT_EQ(json["columns"], nlohmann::json{"comm"});
  EXPECT_EQ(json["totals"].size(), 1u);
  EXPECT_EQ(json["totals"]["tlb-miss"]["change"], 0.0);
}

TEST_F(Cli, DiffTakesABaselineForARecording) {
  std::string path = recording(), baseline = folder_.file("base.json"), by_comm = folder_.file("comm.json");
  EXPECT_EQ(run("diff --save-baseline " + baseline + " " + path).status, 0);
  Outcome same = run("diff " + baseline + " " + path);
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_THAT(same.out, StartsWith("# before: " + baseline + " (baseline)\n"));
  EXPECT_EQ(same.err, "");
  EXPECT_EQ(run("diff --sort comm --save-baseline " + by_comm + " " + path).status, 0);
  EXPECT_THAT(run("diff " + by_comm + " " + path).out, HasSubstr("# cache-miss by comm: "));
  EXPECT_EQ(run("diff " + by_comm + " " + path + " --sort function").status, 2);
}

TEST_F(Cli, DiffEndsWith3WhereALimitIsExceeded) {
  std::string before = folder_.file("before.data");
  std::filesystem::rename(recording(100, R"({"pmu":"software", "totals": {"cache-miss": 50100}})"), before);
  std::string after = recording(120, R"({"pmu":"software", "totals": {"cache-miss": 60120}})");
  Outcome outcome =
      run("diff --fail-above cache-miss:+100000 --fail-above cache-miss:10% " + before + " " + after);
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.err,
            "hardmeter: limit cache-miss:10% exceeded: 50,100 before, 60,120 after, +10,020 (+20.00%)\n");
  EXPECT_THAT(outcome.out, HasSubstr("# limit cache-miss:+100000 kept: 50,100 before, 60,120 after"));
  EXPECT_EQ(run("diff --fail-above cache-miss:20% " + before + " " + after).status, 0);
}

TEST_F(Cli, DiffRefusesInOneSentence) {
  std::string baseline = folder_.file("base.json");
  std::ofstream(baseline) << "{\"kind\": 1}";
  std::string path = recording();
  for (const auto& [arguments, status] :
       std::vector<std::pair<const char*, int>>{{"{0}", 2},
                                                {"{0} {0} {0}", 2},
                                                {"{0} {0} --fail-above cache-miss", 2},
                                                {"{0} {0} --fail-above nothing:2%", 2},
                                                {"{0} {0} --fail-above cache-miss@f:two%", 2},
                                                {"{0} {0} -e nothing", 2},
                                                {"{0} {0} --sort nothing", 2},
                                                {"{0} {0} --save-baseline {1}", 2},
                                                {"{0} {1}", 2},
                                                {"{0} /nonexistent/perf.data", 1},
                                                {"{0} {0},/nonexistent/perf.data", 1},
                                                {"{0} --save-baseline /nonexistent/new.json", 1}}) {
    Outcome outcome = run("diff " + fmt::format(fmt::runtime(arguments), path, baseline));
    EXPECT_EQ(outcome.status, status) << arguments;
    EXPECT_THAT(outcome.err, MatchesRegex("hardmeter: [^\n]*\n")) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
}

TEST_F(Cli, EndsQuietlyWhenNobodyReads) {
  Outcome outcome = run("report --sort ip -i " + recording(20'000), " | head -n 1");
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, StartsWith("# measured by"));
}

TEST_F(Cli, ListsEveryEvent) {
  Outcome all = run("list");
  for (const event::EventTemplate& event : event::all_events()) {
    EXPECT_THAT(all.out, HasSubstr(std::string(event.name)));
    EXPECT_THAT(all.out, HasSubstr(std::string(event.soft_note)));
  }
  EXPECT_EQ(nlohmann::json::parse(run("list --json l1_").out)["events"].size(), 2u);
  EXPECT_EQ(run("list nothing-like-it").status, 1);
}

TEST_F(Cli, ListShowsWhatAProcessorsHardwareWouldDo) {
  EXPECT_THAT(run("list").out, ::testing::Not(HasSubstr("hardware:")));
  EXPECT_THAT(run("list l1_cache_miss").out, HasSubstr("hardware:"));
  Outcome zen = run("list l3_cache_miss --cpu zen4");
  EXPECT_THAT(zen.out, HasSubstr("hardware: AMD Zen 4\n"));
  EXPECT_THAT(zen.out, HasSubstr("keeps loads that no cache up to level 3 had"));
  EXPECT_THAT(zen.out, HasSubstr("l3missonly"));
  EXPECT_THAT(run("list -v mmx --cpu icelake-sp").out, HasSubstr("no event counts MMX instructions"));
  EXPECT_THAT(run("list --cpu help").out, HasSubstr("sapphire-rapids"));
  EXPECT_EQ(run("list --cpu z80").status, 2);
}

TEST_F(Cli, ListsHardwareAsJson) {
  auto json = nlohmann::json::parse(run("list --json --cpu skylake-sp l1_cache_miss").out);
  EXPECT_EQ(json["cpu"], "Intel Xeon Scalable (Skylake-X)");
  auto sampled = json["events"][0]["hardware"]["sample"]["encodings"][0];
  EXPECT_EQ(sampled["config"], "0x8d1");
  EXPECT_EQ(sampled["type"], 4);
  EXPECT_EQ(sampled["keeps"], nullptr);
  json = nlohmann::json::parse(run("list --json --cpu skylake-sp split_load_miss").out);
  EXPECT_THAT(json["events"][0]["hardware"]["count"]["error"], HasSubstr("the nearest is"));
}

TEST_F(Cli, CheckFailsForADamagedRecording) {
  std::string path = recording();
  EXPECT_EQ(run("check -i " + path).status, 0);
  EXPECT_EQ(nlohmann::json::parse(run("check --json -i " + path).out)["samples"], 100);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  Outcome damaged = run("check --json -i " + path);
  EXPECT_EQ(damaged.status, 1);
  EXPECT_FALSE(nlohmann::json::parse(damaged.out)["problems"].empty());
}

}  // namespace
}  // namespace hm::cli
