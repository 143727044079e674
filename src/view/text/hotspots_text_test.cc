// SPDX-License-Identifier: MIT
#include "view/text/hotspots_text.h"

#include <gtest/gtest.h>

#include "view/text/annotation_text.h"
#include "view/text/recording_text.h"
#include "view/text/totals_text.h"

namespace hm::text {
namespace {

callers::Caller caller(const std::string& function, uint64_t samples, double share,
                       std::vector<callers::Caller> callers = {}) {
  return {.function = function,
          .dso = "program",
          .file = {},
          .samples = samples,
          .share = share,
          .callers = std::move(callers)};
}

hotspots::Hotspots one_event() {
  hotspots::Hotspots result;
  result.keys = {hotspots::SortKey::kFunction};
  result.events = {{"l1_cache_miss", 1000, 1000000}};
  result.rows = {
      {{"std::vector<long>::push_back(long const&)"},
       "program",
       {{900, 900000, profile::Share{0.9, 0.88, 0.917}}},
       {caller("main", 600, 2.0 / 3, {caller("_start", 600, 2.0 / 3)}), caller("other", 300, 1.0 / 3)},
       {}},
      {{"memcpy"}, "libc.so.6", {{100, 100000, profile::Share{0.1, 0.083, 0.12}}}, {}}};
  result.all_rows = 3;
  return result;
}

TEST(HotspotsTable, OneEvent) {
  EXPECT_EQ(hotspots_table(one_event(), {}),
            R"(     share  samples   events  function                   dso
90.0% ±1.9      900  900,000  std::vector<…>::push_back  program
     66.7%  main
       66.7%  _start
     33.3%  other
10.0% ±1.8      100  100,000  memcpy                     libc.so.6
# 1 more row
)");
}

TEST(HotspotsTable, NarrowTerminal) {
  hotspots::Hotspots result = one_event();
  result.rows[0].callers.clear();
  EXPECT_EQ(hotspots_table(result, {.width = 56, .color = true, .full_names = true}),
            "\x1b[1m     share  function                           dso\x1b[0m\n"
            "90.0% ±1.9  std::vector<long…ack(long const&)  program\n"
            "10.0% ±1.8  memcpy                             libc.so.6\n# 1 more row\n");
}

TEST(HotspotsTable, InclusiveSharesAreBesideTheRowsOwn) {
  hotspots::Hotspots result = one_event();
  for (hotspots::Row& row : result.rows) row.callers.clear();
  result.inclusive = true;
  result.rows[0].inclusive = {{1000, 1000000, profile::Share{1, 0.9, 1, true}}};
  result.rows[1].inclusive = {{100, 100000, profile::Share{0.1, 0.083, 0.12}}};
  EXPECT_EQ(hotspots_table(result, {}),
            R"(      self                 inclusive  samples   events  function                   dso
90.0% ±1.9  100.0% (too few samples)      900  900,000  std::vector<…>::push_back  program
10.0% ±1.8                10.0% ±1.8      100  100,000  memcpy                     libc.so.6
# 1 more row
)");
}

TEST(HotspotsTable, NamesTheFilesOfFunctionsOfOneName) {
  hotspots::Hotspots result = one_event();
  result.rows[0] = {{"helper"}, "p", {{900, 900000, {}}}, {}, {}, 0, "/src/one.c", "one.c"};
  result.rows[1] = {{"helper"}, "p", {{100, 100000, {}}}, {}, {}, 0, "/src/two.c", "two.c"};
  result.all_rows = 2;
  EXPECT_EQ(hotspots_table(result, {}), R"(share  samples   events  function        dso
    -      900  900,000  helper (one.c)  p
    -      100  100,000  helper (two.c)  p
)");
}

TEST(HotspotsTable, HasATitle) { EXPECT_EQ(hotspots_title(one_event()).substr(0, 15), "l1_cache_miss: "); }

hotspots::Hotspots two_events(uint64_t samples_of_b) {
  hotspots::Hotspots result;
  result.keys = {hotspots::SortKey::kComm};
  result.events = {{"a", 10, std::nullopt}, {"b", samples_of_b, 0}};
  result.rows = {
      {{"bad\x1bname"}, std::nullopt, {{10, std::nullopt, profile::Share{1, 0.722, 1}}, {0, 0, {}}}, {}}};
  result.all_rows = 1;
  return result;
}

TEST(HotspotsTable, EventsSideBySide) {
  EXPECT_EQ(hotspots_table(two_events(5), {}), R"(           a  samples  b  samples  comm
100.0% ±13.9       10  -        0  bad\x1bname
)");
}

TEST(HotspotsTable, HasATitleWithAllEvents) {
  EXPECT_EQ(hotspots_title(two_events(5)), "a, b: samples of each event\n");
  EXPECT_EQ(hotspots_title(two_events(0)), "a: samples, and the events that they stand for\n");
}

TEST(HotspotsTable, AnEventWithoutSamplesHasNoColumns) {
  EXPECT_EQ(hotspots_table(two_events(0), {}), R"(       share  samples  events  comm
100.0% ±13.9       10       -  bad\x1bname
)");
}

TEST(HotspotsTable, SaysHowLongAccessesWaited) {
  hotspots::Hotspots result = two_events(0);
  result.latencies = true;
  result.rows[0].latency = profile::Latency{10, 2000, 12, 340, 350, 1200};
  result.rows[0].latency_share = 0.8;
  EXPECT_EQ(hotspots_table(result, {}),
            R"(       share  samples  events  latency  median  90%  99%    max  comm
100.0% ±13.9       10       -    80.0%      12  340  350  1,200  bad\x1bname
)");
  result.rows[0].latency.reset();
  EXPECT_EQ(hotspots_table(result, {}), R"(       share  samples  events  latency  median  90%  99%  max  comm
100.0% ±13.9       10       -        -                         bad\x1bname
# no sample has a latency: record with -W, or with the software PMU
)");
}

TEST(Annotation, LinesThenInstructions) {
  annotate::Annotation result;
  result.function = "f";
  result.dso = "program";
  result.events = {{"miss", 4, 40, profile::Share{0.5, 0.2, 0.8}}};
  annotate::Count all{4, 40, profile::Share{1, 0.5, 1}};
  annotate::Count none{0, 0, profile::Share{0, 0, 0.5}};
  result.lines = {{"/src/f.c", 3, "  return *p;", {all}}};
  result.instructions = {{0x10, "mov (%rdi), %rax", "/src/f.c", 3, {all}},
                         {0x13, "ret", "/src/f.c", 3, {none}}};
  EXPECT_EQ(annotation(result, {}, 0), R"(# function: f in program
# event miss: 4 samples here, 50.0% ±30.0 of all
#
       share  samples  line   source
100.0% ±25.0        4  f.c:3  return *p;

       share  samples  address  instruction       line
100.0% ±25.0        4       10  mov (%rdi), %rax  f.c:3
                            13  ret
)");
}

TEST(TotalsReport, NotMeasuredIsNotZero) {
  totals::Totals totals;
  totals.events = {{"miss", {4, 400, {}}, 10.0, {}}, {"instr", {0, {}, totals::Exact{40000, 0, 0}}, {}, {}}};
  totals.threads = {{7, 7, "a", {{4, 400, {}}, {0, {}, totals::Exact{30000, 0, 0}}}},
                    {7, 8, "b", {{0, {}, {}}, {0, {}, totals::Exact{10000, 0, 0}}}}};
  EXPECT_EQ(totals_report(totals, {}),
            R"(event  counted  estimated  samples  per 1000 instructions  per second
miss         -        400        4                  10.00           -
instr   40,000          -        0                      -           -

thread  pid  tid  miss   instr
a         7    7   400  30,000
b         7    8     -  10,000
)");
}

TEST(RecordingHeader, SaysWhoMeasured) {
  profile::Profile profile;
  profile.events = {{"e", {}}};
  profile.features.cmdline = {"hardmeter", "record", "./a b"};
  profile.features.hardmeter = R"({"pmu":"software"})";
  profile.lost.records = 1234;
  profile.problems = {"something is odd"};
  profile.notes = {"something was left out"};
  totals::Totals totals;
  totals.events = {{"sampled", {1000, 1000000, {}}, {}, {}},
                   {"counted", {0, {}, totals::Exact{50, 200, 100}}, {}, {}},
                   {"neither", {0, {}, {}}, {}, {}}};
  EXPECT_EQ(recording_header(profile, totals), R"(# measured by: software PMU
# command: hardmeter record ./a b
# lost: 1,234 records that did not fit the buffer, 0 samples that the hardware dropped
# problem: something is odd
# note: something was left out
# event sampled: 1,000 samples, about 1,000,000 events
# event counted: 0 samples, 100 (ran 50.0% of the time) events counted
# event neither: 0 samples
#
)");
}

TEST(RecordingHeader, FitsTheTerminal) {
  profile::Profile profile;
  profile.notes = {"a note of several words that is longer than the line"};
  std::string header = recording_header(profile, {}, 30);
  EXPECT_NE(header.find("# note: a note of several\n#   words that is longer than\n#   the line\n"),
            header.npos)
      << header;
}

}  // namespace
}  // namespace hm::text
