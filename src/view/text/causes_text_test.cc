// SPDX-License-Identifier: MIT
#include "view/text/causes_text.h"

#include <gtest/gtest.h>

namespace hm::text {
namespace {

cause::Causes example() {
  cause::HotLocation place;
  place.function = "sum_columns";
  place.dso = "matrix";
  place.file = "/src/matrix.c";
  place.line = 21;
  place.address = 0x1163;
  place.instruction = "movsdq (%rax), %xmm0";
  place.samples = 80;
  place.share = profile::Share{0.8, 0.71, 0.87};
  place.classes = {{record::MissClass::kConflict, 72, {0.9, 0.82, 0.95}},
                   {record::MissClass::kCompulsory, 8, {0.1, 0.05, 0.18}}};
  place.walk = {cause::Shape::kStrided, 4096, 0.98};
  place.access_bytes = 8;
  place.lines = 60;
  place.pages = 1;
  place.advice =
      cause::Advice{cause::Pattern::kPowerOfTwoStride, cause::Gain{0.9, 0.9, "more ways would do"}};
  return {{{"l1_cache_miss", 100, 100000, {place}, 2}}, {}};
}

TEST(CausesText, SaysWhyHowAndWhatToChange) {
  EXPECT_EQ(causes(example(), {}), R"(
l1_cache_miss: 1 place of 2 with the most of 100 samples
 1. 80.0% ±8.0  sum_columns  matrix.c:21  (matrix)
    why      conflict 90.0% ±6.5, compulsory 10.0% ±6.5
    walk     strided by 4,096 bytes (98.0% of steps), 8 bytes at a time; 60 lines in 1 page seen
    code     1163: movsdq (%rax), %xmm0
    pattern  power_of_two_stride: pad the rows to an odd number of lines, or index them differently
    gain     some 90.0% of these (72.0% of all): more ways would do
)");
}

TEST(CausesText, NamesTheInlinedFunctionAndWhereItIs) {
  cause::Causes result = example();
  cause::HotLocation& place = result.events[0].places[0];
  place.function = "Table<int>::sum(long) const";
  place.physical_function = "main";
  result.events[0].places.push_back(place);
  result.events[0].places[1].function = "Table<char>::sum(long) const";
  std::string text = causes(result, {});
  EXPECT_NE(text.find("  Table<int>::sum(long) const (in main)  matrix.c:21  (matrix)"), text.npos) << text;
  EXPECT_NE(text.find("  Table<char>::sum(long) const (in main)  "), text.npos);
  result.events[0].places.pop_back();
  EXPECT_NE(causes(result, {}).find("  Table<…>::sum (in main)  "), text.npos);
  EXPECT_NE(causes(result, {.full_names = true}).find("  Table<int>::sum(long) const (in main)  "),
            text.npos);
}

TEST(ColdText, WarnsOfCachesThatBeganEmpty) {
  cause::EventCauses event = example().events[0];
  EXPECT_EQ(cold_text(event), "");
  event.no_history = profile::Share{0.01, 0, 0.02};
  EXPECT_EQ(cold_text(event), "") << "few";
  event.no_history = profile::Share{0.9, 0.85, 0.95};
  EXPECT_EQ(cold_text(event),
            "90.0% ±5.0 of these events may be too many, because the modelled caches began cold");
  event.name = "memory_wait";
  EXPECT_EQ(cold_text(event),
            "90.0% ±5.0 of these waits may be too many, because the modelled caches began cold");
}

TEST(CausesText, GainsAreAlsoSharesOfTheCycles) {
  cause::Causes result = example();
  cause::HotLocation& place = result.events[0].places[0];
  place.advice->gain->of_cycles = 0.04;
  place.advice->basis = "the code is in std::_Rb_tree::find";
  std::string text = causes(result, {});
  EXPECT_NE(text.find("    basis    the code is in std::_Rb_tree::find\n"), std::string::npos) << text;
  EXPECT_NE(text.find("some 90.0% of these (72.0% of all, at most 4.0% of the modelled cycles): more ways"),
            std::string::npos)
      << text;
}

TEST(CausesText, ReasonsNeedSamplesAndWaits) {
  cause::Causes result = example();
  cause::HotLocation& place = result.events[0].places[0];
  place.advice = std::nullopt;
  place.samples = 8;
  place.too_little = cause::TooLittle::kSamples;
  std::string text = causes(result, {});
  EXPECT_NE(text.find("    why      not shown: too few samples, 8\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("conflict"), std::string::npos) << text;
  place.too_little = cause::TooLittle::kWaits;
  place.waits_share = 0.003;
  text = causes(result, {});
  EXPECT_NE(text.find("    why      not shown: 0.3% of the program's waits for data\n"), std::string::npos)
      << text;
}

TEST(CausesText, SaysWhichMissesAreTheKernels) {
  cause::Causes result = example();
  result.events[0].places[0].by_kernel = profile::Share{1, 0.95, 1};
  std::string text = causes(result, {});
  EXPECT_NE(text.find("by the kernel, on behalf of the program"), std::string::npos) << text;
}

TEST(CausesText, SaysWhoAnsweredAndHowLongThatTook) {
  cause::Causes result = example();
  cause::HotLocation& place = result.events[0].places[0];
  place.classes.clear();
  place.instruction.clear();
  place.advice = std::nullopt;
  place.levels = {{"L1 hit", 60, {0.75, 0.65, 0.83}}, {"RAM hit", 20, {0.25, 0.17, 0.35}}};
  place.latency = profile::Latency{80, 9000, 7, 310, 420, 1200};
  EXPECT_EQ(causes(result, {}), R"(
l1_cache_miss: 1 place of 2 with the most of 100 samples
 1. 80.0% ±8.0  sum_columns  matrix.c:21  (matrix)
    why      answered by L1 hit 75.0% ±9.0, RAM hit 25.0% ±9.0
    latency  7 cycles in the median, 90% within 310, 99% within 420, at most 1,200
    walk     strided by 4,096 bytes (98.0% of steps), 8 bytes at a time; 60 lines in 1 page seen
)");
}

TEST(CausesText, SaysWhoCalledAndWraps) {
  cause::Causes result = example();
  cause::HotLocation& place = result.events[0].places[0];
  callers::Caller main{
      .function = "main", .dso = "matrix", .file = "/src/main.c", .line = 7, .samples = 72, .share = 0.9};
  place.callers = {{.function = "row_sum",
                    .dso = "matrix",
                    .inlined = true,
                    .file = "/src/matrix.c",
                    .line = 30,
                    .samples = 80,
                    .share = 1,
                    .callers = {main}}};
  place.instruction.clear();
  place.advice = std::nullopt;
  EXPECT_EQ(causes(result, {.width = 60}), R"(
l1_cache_miss: 1 place of 2 with the most of 100 samples
 1. 80.0% ±8.0  sum_columns  matrix.c:21  (matrix)
    callers  row_sum (inlined) matrix.c:30, main main.c:7
             (90.0%)
    why      conflict 90.0% ±6.5, compulsory 10.0% ±6.5
    walk     strided by 4,096 bytes (98.0% of steps), 8
             bytes at a time; 60 lines in 1 page seen
)");
}

TEST(CausesText, WhatWasNotMeasuredIsNotInvented) {
  cause::Causes result = example();
  cause::HotLocation& place = result.events[0].places[0];
  place.classes.clear();
  place.unclassified = 80;
  place.walk = {};
  place.access_bytes = std::nullopt;
  place.lines = place.pages = 0;
  place.instruction.clear();
  place.advice = std::nullopt;
  EXPECT_EQ(causes(result, {}), R"(
l1_cache_miss: 1 place of 2 with the most of 100 samples
 1. 80.0% ±8.0  sum_columns  matrix.c:21  (matrix)
    why      not measured
    walk     unknown
)");
}

TEST(CausesText, SaysWhatOtherMachinesWouldDo) {
  cause::Causes result = example();
  cause::HotLocation& place = result.events[0].places[0];
  place.instruction.clear();
  place.advice = std::nullopt;
  place.reuse = cause::Reuse{16384, true};
  place.next_line = profile::Share{0.5, 0.4, 0.6};
  place.huge_pages = profile::Share{1, 0.95, 1};
  EXPECT_EQ(causes(result, {}), R"(
l1_cache_miss: 1 place of 2 with the most of 100 samples
 1. 80.0% ±8.0  sum_columns  matrix.c:21  (matrix)
    why      conflict 90.0% ±6.5, compulsory 10.0% ±6.5
    walk     strided by 4,096 bytes (98.0% of steps), 8 bytes at a time; 60 lines in 1 page seen
    reuse    after at least 16,384 other lines, 1,024 KiB, in the median
    what if  each fetch also loaded the next line: 50.0% ±10.0 would hit
    what if  pages were of 2 MiB: 100.0% ±2.5 would hit
)");
}

TEST(CausesText, SaysWhichLinesWouldChangeHands) {
  cause::Causes result;
  result.contested.accesses_sampled = 1000;
  result.contested.all = 3;
  cause::ContestedLine line;
  line.line = {
      0x4040,
      7,
      7000,
      {{"server 12", 0, 8, "shared memory", "", true, 4, 4000}, {"server 13", 8, 8, "", "", false, 3, 3000}}};
  line.sharing = record::MissClass::kFalseSharing;
  line.accesses = 7000;
  line.written = 0.5;
  line.max_handovers = 1200;
  line.functions = {"acquire", "release"};
  result.contested.lines = {line};
  EXPECT_EQ(causes(result, {}), R"(
contested lines (would move between cores): 1 of 3, by 1,000 sampled accesses in windows of 100 ms
 1. up to 1,200 times, false sharing: 7,000 accesses, 50.0% of which write
    line     4040: 7 samples
             server 12: writes bytes 0 to 7 (57.1%) of shared memory
             server 13: reads bytes 8 to 15 (42.9%)
    code     acquire, release
no samples
)");
}

TEST(CausesText, SaysWhoIsOnASharedLine) {
  cause::Causes result = example();
  cause::HotLocation& place = result.events[0].places[0];
  place.classes = {{record::MissClass::kFalseSharing, 80, {1, 0.95, 1}}};
  place.shared_line =
      cause::SharedLine{0x4040,
                        100,
                        100,
                        {{"worker 12", 0, 8, "global counters", "counters[].done", true, 60, 60},
                         {"worker 13", 8, 0, "", "", false, 40, 40}}};
  place.walk = {};
  place.access_bytes = std::nullopt;
  place.lines = 0;
  place.instruction.clear();
  place.advice = std::nullopt;
  EXPECT_EQ(causes(result, {}), R"(
l1_cache_miss: 1 place of 2 with the most of 100 samples
 1. 80.0% ±8.0  sum_columns  matrix.c:21  (matrix)
    why      false sharing 100.0% ±2.5
    line     4040: 100 samples
             worker 12: writes bytes 0 to 7 (60.0%) of global counters, counters[].done
             worker 13: reads byte 8 (40.0%)
    walk     unknown
)");
}

TEST(CausesText, NoSamples) { EXPECT_EQ(causes({}, {}), "no samples\n"); }

}  // namespace
}  // namespace hm::text
