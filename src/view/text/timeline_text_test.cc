// SPDX-License-Identifier: MIT
#include "view/text/timeline_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::text {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

timeline::Timeline small_timeline() {
  timeline::Timeline line;
  line.event = "clock";
  line.way = timeline::Way::kRatio;
  line.end_ns = 4'000'000;
  line.bin_ns = 1'000'000;
  line.interval_ns = 100'000;
  line.points = {.points = 40, .branches = 1280, .new_branches = 1200, .ambiguous = 0};
  line.functions = {{.name = "parse(int)", .dso = "reader", .ns = 2.5e6},
                    {.name = "walk", .dso = "reader", .ns = 1e6}};
  line.other_ns = 0.5e6;
  line.lanes = {{"7 reader", 4e6, 1e6, {{{1e6F, 0, 0}}, {{0, 9e5F, 1e5F}}, {}, {{0, 0, 4e5F}}}, {}}};
  line.all_lanes = 3;
  return line;
}

TEST(TimelineView, AnEventThatIsNoClockHasNoTimes) {
  timeline::Timeline misses = small_timeline();
  misses.event = "l1_cache_miss";
  misses.counts_time = false;
  std::string view = timeline_view(misses, {}, {.width = 80});
  EXPECT_THAT(view, HasSubstr("# l1_cache_miss is not a clock"));
  EXPECT_THAT(view, HasSubstr("62.5%  parse "));
  EXPECT_THAT(view, Not(HasSubstr("2.5 ms")));
  EXPECT_THAT(view, Not(HasSubstr("idle")));
}

TEST(TimelineView, IsReadableWithoutColour) {
  std::string view = timeline_view(small_timeline(), {}, {.width = 80});
  EXPECT_THAT(view, HasSubstr("# time line of clock: from 0 ns to 4 ms, cells of 1 ms, by thread\n"));
  EXPECT_THAT(
      view,
      HasSubstr("1,200 of 1,280 branches are new since the sample before; their times are estimated: ratio"));
  EXPECT_THAT(view, HasSubstr("a  2.5 ms  62.5%  parse"));
  EXPECT_THAT(view, HasSubstr(".  500 us  12.5%  (others)"));
  EXPECT_THAT(view, HasSubstr("\n7 reader           |ab .|\n"));
  EXPECT_THAT(view, HasSubstr("# 2 more\n"));
  EXPECT_THAT(view, Not(HasSubstr("\x1b")));
  EXPECT_THAT(timeline_view(small_timeline(), {}, {.width = 80, .color = true}),
              HasSubstr("\x1b[31ma\x1b[0m"));
}

TEST(TimelineView, TellsUnknownAndIdleTimeFromCode) {
  timeline::Timeline line = small_timeline();
  line.functions[0].kind = timeline::Function::Kind::kUnknown;
  line.functions[1].kind = timeline::Function::Kind::kIdle;
  std::string view = timeline_view(line, {}, {.width = 80});
  EXPECT_THAT(view, HasSubstr("|?_ .|"));
  EXPECT_THAT(view, HasSubstr("1 ms         (idle: no sample came for long)"));
}

TEST(TimelineView, ShadesCountsByTheMostInACell) {
  timeline::Timeline line = small_timeline();
  line.counts = {{.event = "l1_cache_miss", .all = 5000, .most = 3000}};
  line.lanes[0].counts = {{3000, 1500, 0, 1}};
  std::string view = timeline_view(line, {}, {.width = 80});
  EXPECT_THAT(view, HasSubstr("|ab .|\n  l1_cache_miss    |@+ .|\n"));
  EXPECT_THAT(view, HasSubstr("# l1_cache_miss: 5,000 counted; from . to @, which is 3,000 in a cell\n"));
}

TEST(TimelineView, BeginsWithTheEpisodes) {
  std::vector<timeline::Episode> episodes(12);
  for (size_t i = 0; i < episodes.size(); ++i) {
    episodes[i] = {.begin_ns = 1'000'000 * (12 - i),
                   .end_ns = 1'000'000 * (12 - i) + 500'000,
                   .unusual = {{"spike(int)", "reader", false, 0.985, 0.02}, {"miss", "", true, 5000, 10}},
                   .lanes = {"7 reader", "8 reader"},
                   .before = {{"walk", 0.6}},
                   .chance = i == 0 ? 0 : 1e-5 * static_cast<double>(i)};
  }
  std::string view = timeline_view(small_timeline(), episodes, {});
  EXPECT_THAT(view,
              HasSubstr("0.012000 s, for 500 us: spike 98.5% of the time (as long elsewhere: at most "
                        "2.0%); miss 5,000 in a second (as long elsewhere: at most 10); in 7 reader and "
                        "1 more; before it walk 60.0%; by chance in fewer than 1 of 1,000,000,000 "
                        "runs\n# 2 more, less certain\n"));
  EXPECT_THAT(view, HasSubstr("by chance in 1 of 50,000 runs"));
  EXPECT_THAT(view, Not(HasSubstr("0.001000 s"))) << "the least sure";
}

TEST(TimelineView, ShowsTheBranchesOfASampleInOrder) {
  timeline::Timeline line = small_timeline();
  line.moments = {{3'200'000, "7 reader", "walk", {{"parse(int)", false}, {"step\x1b", true}}, true}};
  line.points.points = 4;
  std::string view = timeline_view(line, {}, {});
  EXPECT_THAT(
      view,
      HasSubstr(
          "0.003200 s  7 reader: (parse) > step\\x1b > walk  (old or new is unknown)\n# 3 more samples"));
}

TEST(TimelineView, FitsTheTerminal) {
  EXPECT_EQ(timeline_columns({.width = 80}), 59u);
  EXPECT_EQ(timeline_columns({.width = 200}), 179u);
  EXPECT_EQ(timeline_columns({.width = 5}), 10u);
  EXPECT_EQ(timeline_columns({}), 80u);
}

}  // namespace
}  // namespace hm::text
