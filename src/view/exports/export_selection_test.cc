// SPDX-License-Identifier: MIT
#include "view/exports/export_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "symbol/files/test_subjects.h"
#include "view/exports/event_rates.h"
#include "view/exports/stacks.h"
#include "view/exports/test_profile.h"
#include "view/exports/text.h"

namespace hm::exports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ExportedSelections, AreOfOneEventWhereAFormatHoldsOne) {
  TestProfile test;
  EXPECT_THAT(events_of(test.selection()), ElementsAre(0, 1));
  EXPECT_THAT(check_one_event(test.selection()).error().message,
              HasSubstr("of l1_cache_miss, cpu/mem-loads,ldlat=30/: choose one with -e"));
  EXPECT_THAT(events_of(test.first_event()), ElementsAre(0));
  EXPECT_TRUE(check_one_event(test.selection()));
}

TEST(ExportedSelections, WithoutSamplesAreOfAllEvents) {
  TestProfile test;
  test.rows.clear();
  EXPECT_THAT(events_of(test.selection()), ElementsAre(0, 1));
  EXPECT_TRUE(check_one_event(test.selection()));
}

TEST(ExportedSelections, WeighByPeriodsWhereAllHaveOne) {
  TestProfile test;
  EXPECT_EQ(Weights(test.selection()).of(1), 20u);
  test.profile.samples.period = {};
  test.profile.samples.period.set(0, 10);
  test.profile.samples.period.set(2, 3);
  Weights weights(test.selection());
  EXPECT_EQ(weights.of(0), 1u);
  EXPECT_EQ(weights.of(2), 3u);
}

TEST(ExportedSelections, WeighAClockByTime) {
  TestProfile test;
  perf_event_attr& attr = test.profile.events[1].attr;
  EXPECT_FALSE(Weights(test.selection()).are_nanoseconds(1));
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_TASK_CLOCK;
  EXPECT_TRUE(Weights(test.selection()).are_nanoseconds(1));
  attr.config = PERF_COUNT_SW_PAGE_FAULTS;
  EXPECT_FALSE(Weights(test.selection()).are_nanoseconds(1));
}

TEST(ExportedSelections, AreSplitByEventAndThread) {
  TestProfile test;
  std::vector<Series> series = series_of(test.selection());
  ASSERT_EQ(series.size(), 3u);
  EXPECT_THAT(series[0].samples, ElementsAre(0, 1));
  EXPECT_EQ(series[1].thread, 1u);
  EXPECT_EQ(series[2].event, 1u);
}

TEST(ExportedTimes, BeginWithTheFirstSampleOrReadingOfTheCache) {
  TestProfile test;
  EXPECT_EQ(Times(test.selection()).ns_of(1), 1000u);
  test.profile.occupancy.push_back({"web [7]", 7, false, 0, {{400, 4096, {}}}});
  EXPECT_EQ(Times(test.selection()).ns_of(1), 1600u);
}

TEST(ExportedTimes, AreCyclesIfAllSamplesHaveThem) {
  TestProfile test;
  for (size_t i = 0; i < test.rows.size(); ++i) test.profile.samples.run_cycles.set(i, 50 + 7 * i);
  Times times(test.selection());
  EXPECT_TRUE(times.are_cycles());
  EXPECT_EQ(times.ns_of(2), 14u);
}

TEST(ExportedRates, AreEventsInASecondOfEachProcess) {
  TestProfile test;
  std::vector<EventRate> rates = event_rates(test.selection(), Times(test.selection()));
  ASSERT_EQ(rates.size(), 2u);
  EXPECT_EQ(rates[0].pid, 7u);
  double part_s = static_cast<double>(rates[0].points[1].time_ns) * 1e-9;
  EXPECT_DOUBLE_EQ(rates[0].points.front().per_billion * part_s, 30);
  EXPECT_EQ(rates[0].points.back().per_billion, 0);
  double events = 0;
  for (const RatePoint& point : rates[0].points) events += point.per_billion * part_s;
  EXPECT_NEAR(events, 35, 1e-9);
}

TEST(ExportedStacks, BeginWithTheOutermostFunction) {
  TestProfile test;
  Stacks stacks(test.selection());
  EXPECT_THAT(stacks.locations_of(0), ElementsAre(1, 0));
  std::vector<std::string> names;
  for (const Frame* frame : stacks.of(0)) names.push_back(stacks.function(frame->function).name);
  EXPECT_THAT(names, ElementsAre("main", "work<int, long>"));
  EXPECT_EQ(stacks.at(1).front().function, stacks.at(2).front().function);
}

TEST(ExportedStacks, HaveWhatIsInlinedInsideItsFunction) {
  TestProfile test;
  symbol::Dso dso(symbol::subject("subject"), "");
  symbol::Symbol function = symbol::symbol_of(dso, "_ZN7subjectL13twice_inlinedERKSt6vectorIlSaIlEE");
  uint64_t offset = *dso.elf()->offset_of_address(function.start);
  while (dso.frames_at(offset).size() < 3) ++offset;
  test.profile.dsos[1] = {symbol::subject("subject"), ""};
  test.profile.locations[1].offset = offset;
  Stacks stacks(test.selection());
  std::vector<const Frame*> frames = stacks.of(0);
  ASSERT_GE(frames.size(), 4u);
  EXPECT_EQ(stacks.function(frames[1]->function).name, "work<int, long>");
  EXPECT_EQ(frames[1]->depth, 0u);
  EXPECT_EQ(frames[3]->depth, 2u);
  EXPECT_EQ(frames[3]->location, 1u);
  EXPECT_EQ(stacks.function(frames.back()->function).name, dso.frames_at(offset).front().function);
  EXPECT_NE(frames.back()->line, 0u);
}

TEST(ExportedTexts, AreUtf8OnOneLine) {
  EXPECT_EQ(one_line("a\n\x1b[31m\x7f\xc3\xa4\u009b"), "a\\x0a\\x1b[31m\\x7f\xc3\xa4\\u009b");
  EXPECT_EQ(json_text("a\n\"b\"\xff"), "\"a\\n\\\"b\\\"\xef\xbf\xbd\"");
}

TEST(ExportedPieces, StopAtTheFirstError) {
  int pieces = 0;
  Pieces failing([&](std::string_view) -> Status {
    ++pieces;
    return make_error(ErrorCode::kIo, "full");
  });
  std::string much(size_t{3} << 20, 'x');
  failing << much << much;
  EXPECT_EQ(failing.finish().error().message, "full");
  EXPECT_EQ(pieces, 1);
}

}  // namespace
}  // namespace hm::exports
