// SPDX-License-Identifier: MIT
#include "event/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

namespace hm::event {
namespace {

using ::testing::HasSubstr;

TEST(Selection, TakesTheTablesEventsByNameAndAlias) {
  auto parsed = parse_selections("l1_cache_miss,dtlb_store_miss,clock:u");
  ASSERT_TRUE(parsed.ok());
  ASSERT_EQ(parsed->size(), 3u);
  EXPECT_EQ((*parsed)[0].id, EventId::kL1CacheMiss);
  EXPECT_EQ((*parsed)[1].name, "dtlb_stor_miss");
  EXPECT_EQ((*parsed)[2].id, EventId::kClock);
  EXPECT_TRUE((*parsed)[2].user);
  EXPECT_FALSE((*parsed)[2].kernel_mode);
  EXPECT_EQ(only_table_events(*parsed)->size(), 3u);
}

TEST(Selection, TakesTheKernelsOwn) {
  auto parsed = parse_selections("faults,cycles:k,r1d1,sched:sched_switch");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ((*parsed)[0].kernel, (KernelEvent{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS}));
  EXPECT_EQ((*parsed)[1].kernel, (KernelEvent{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES}));
  EXPECT_TRUE((*parsed)[1].kernel_mode);
  EXPECT_EQ((*parsed)[2].kernel, (KernelEvent{PERF_TYPE_RAW, 0x1d1}));
  EXPECT_EQ((*parsed)[3].tracepoint, "sched:sched_switch");
  EXPECT_EQ(only_table_events(*parsed).error().code, ErrorCode::kUnsupported);
}

TEST(Selection, ReadsBreakpoints) {
  auto parsed = parse_selections("mem:0x7ffe0010/8:w,mem:0x400000:x");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ((*parsed)[0].kernel, (KernelEvent{PERF_TYPE_BREAKPOINT, 0, 0x7ffe0010, 8, HW_BREAKPOINT_W}));
  EXPECT_EQ((*parsed)[1].kernel, (KernelEvent{PERF_TYPE_BREAKPOINT, 0, 0x400000, 8, HW_BREAKPOINT_X}));
}

TEST(Selection, GroupsWhatStandsInBraces) {
  auto parsed = parse_selections("faults,{cycles,instructions},{branches,branch-misses},cs");
  ASSERT_TRUE(parsed.ok());
  std::vector<unsigned> groups;
  for (const Selection& each : *parsed) groups.push_back(each.group);
  EXPECT_EQ(groups, (std::vector<unsigned>{0, 1, 1, 2, 2, 0}));
}

TEST(Selection, KnowsClocks) {
  auto parsed = parse_selections("clock,cpu-clock,task-clock:u,page-faults,l1_cache_miss,r1");
  std::vector<bool> clocks;
  for (const Selection& each : *parsed) clocks.push_back(is_clock(each));
  EXPECT_EQ(clocks, (std::vector<bool>{true, true, true, false, false, false}));
}

TEST(Selection, SaysWhatIsWrong) {
  EXPECT_THAT(parse_selections("l1_cache_mis").error().message, HasSubstr("'l1_cache_miss'"));
  EXPECT_THAT(parse_selections("page-fault").error().message, HasSubstr("'page-faults'"));
  EXPECT_THAT(parse_selections("cycles,cycles").error().message, HasSubstr("twice"));
  for (const char* bad :
       {"", "mem:xyz", "mem:0x10/q", "mem:0x10:z", "{cycles", "cycles}", "{{cycles}", ","}) {
    EXPECT_FALSE(parse_selections(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace hm::event
