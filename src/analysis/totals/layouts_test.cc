// SPDX-License-Identifier: MIT
#include "analysis/totals/layouts.h"

#include <gtest/gtest.h>

namespace hm::totals {
namespace {

Counting run(uint64_t instructions, uint64_t misses, uint64_t cycles) {
  Counting counting;
  counting.modelled.emplace().cycles = cycles;
  for (auto [name, value] : {std::pair("instr_retired", instructions), {"l1_cache_miss", misses}}) {
    EventTotal event;
    event.name = name;
    event.count.exact = Exact{.value = value};
    counting.totals.events.push_back(event);
  }
  counting.totals.elapsed_ns = 1000;
  return counting;
}

TEST(LayoutsTest, CountsAreMediansWithRanges) {
  Counting found = over_layouts({run(1000, 30, 5000), run(1000, 10, 4000), run(1000, 20, 6000)});
  EXPECT_EQ(found.layouts, 3u);
  const EventTotal &instructions = found.totals.events[0], &misses = found.totals.events[1];
  EXPECT_EQ(instructions.range->lowest, 1000u);
  EXPECT_EQ(instructions.range->highest, 1000u);
  EXPECT_EQ(misses.count.exact->value, 20u);
  EXPECT_EQ(misses.range->lowest, 10u);
  EXPECT_EQ(misses.range->highest, 30u);
  EXPECT_EQ(misses.per_thousand_instructions, 20) << "of the medians";
  EXPECT_EQ(found.modelled->cycles, 5000u);
  EXPECT_EQ(found.cycles_range->lowest, 4000u);
  EXPECT_EQ(found.totals.elapsed_ns, 3000u);
}

TEST(LayoutsTest, AnEvenNumberHasItsMedianInTheMiddle) {
  EXPECT_EQ(over_layouts({run(1, 10, 1), run(1, 40, 1)}).totals.events[1].count.exact->value, 25u);
}

TEST(LayoutsTest, ACountThatARunLacksHasNoRange) {
  Counting other = run(1000, 10, 4000);
  other.totals.events[1].count.exact.reset();
  Counting found = over_layouts({run(1000, 30, 5000), other});
  EXPECT_FALSE(found.totals.events[1].range);
  EXPECT_TRUE(found.totals.events[0].range);
}

TEST(LayoutsTest, ARunThatFailsMakesTheWholeFail) {
  Counting other = run(1, 1, 1);
  other.exit_status = 3;
  EXPECT_EQ(over_layouts({run(1, 1, 1), other}).exit_status, 3);
}

TEST(LayoutsTest, AMedianOfEstimatesIsAsUncertainAsTheLeastCertain) {
  Counting one = run(1000, 10, 1), other = run(1000, 20, 1);
  for (Counting* each : {&one, &other}) each->totals.events[1].count.exact->in_bursts = true;
  one.totals.events[1].count.exact->relative_error = 0.1;
  other.totals.events[1].count.exact->relative_error = 0.2;
  EXPECT_EQ(over_layouts({one, other}).totals.events[1].count.exact->relative_error, 0.2);
  other.totals.events[1].count.exact->relative_error.reset();
  EXPECT_EQ(over_layouts({one, other}).totals.events[1].count.exact->relative_error, std::nullopt);
}

}  // namespace
}  // namespace hm::totals
