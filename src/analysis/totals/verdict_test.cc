// SPDX-License-Identifier: MIT
#include "analysis/totals/verdict.h"

#include <gtest/gtest.h>

#include "analysis/totals/counting.h"

namespace hm::totals {
namespace {

EventTotal counted(std::string name, uint64_t value, std::optional<double> relative_error = std::nullopt) {
  EventTotal event{std::move(name), {}, {}, {}};
  event.count.exact = Exact{.value = value, .in_bursts = relative_error.has_value()};
  event.count.exact->relative_error = relative_error;
  return event;
}

Counting counting_of_waits() {
  Counting counting;
  counting.modelled = Modelled{.cycles = 1'000'000, .costs = record::CostSource::kCalibrated};
  counting.totals.events = {counted("instr_retired", 500'000), counted("l1_cache_miss", 5'000),
                            counted("memory_wait", 400'000),   counted("l2_wait", 100'000),
                            counted("dram_wait", 250'000),     counted("tlb_wait", 50'000),
                            counted("fetch_wait", 20'000)};
  return counting;
}

TEST(Verdict, SharesAreOfTheModelledCycles) {
  std::optional<Verdict> verdict = find_verdict(counting_of_waits());
  ASSERT_TRUE(verdict);
  EXPECT_DOUBLE_EQ(verdict->memory, 0.4);
  EXPECT_EQ(verdict->costs, record::CostSource::kCalibrated);
  EXPECT_FALSE(verdict->error);
  ASSERT_EQ(verdict->of_memory.size(), 3u);
  EXPECT_EQ(verdict->of_memory[0].name, "memory") << "the largest first";
  EXPECT_DOUBLE_EQ(verdict->of_memory[0].share, 0.25);
  EXPECT_EQ(verdict->of_memory[2].name, "TLB");
  EXPECT_EQ(verdict->fetch, 0.02);
  EXPECT_EQ(verdict->branches, std::nullopt) << "not measured";
  EXPECT_DOUBLE_EQ(*verdict->instructions_per_cycle, 0.5);
  ASSERT_EQ(verdict->misses.size(), 1u);
  EXPECT_DOUBLE_EQ(verdict->misses[0].per_thousand_instructions, 10);
}

TEST(Verdict, OfBurstsHasAnInterval) {
  Counting counting = counting_of_waits();
  counting.totals.events[2] = counted("memory_wait", 400'000, 0.1);
  std::optional<Verdict> verdict = find_verdict(counting);
  EXPECT_TRUE(verdict->in_bursts);
  EXPECT_DOUBLE_EQ(*verdict->error, 0.04);
  counting.modelled->wait_share_error = 0.03;
  EXPECT_DOUBLE_EQ(*find_verdict(counting)->error, 0.03) << "the share's own error";
  counting.modelled->wait_share_error.reset();
  counting.totals.events[2] = counted("memory_wait", 400'000, 1.5);
  EXPECT_FALSE(find_verdict(counting)) << "too uncertain";
}

TEST(Verdict, WithoutAWaitInTheBurstsNamesThePartThatTheyMayHaveMissed) {
  Counting counting = counting_of_waits();
  counting.totals.events[2] = counted("memory_wait", 10);
  counting.totals.events[2].count.exact->in_bursts = true;
  EXPECT_FALSE(find_verdict(counting)) << "the part is unknown";
  counting.modelled->unseen_waits = 0.004;
  std::optional<Verdict> verdict = find_verdict(counting);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->unseen, 0.004);
  EXPECT_EQ(verdict->error, std::nullopt);
  EXPECT_TRUE(verdict->misses.empty()) << "counted in the exact part alone";
  profile::Profile profile;
  profile.features.hardmeter = R"({"pmu": "software", "cycles": 2000, "totals": {"memory_wait": 1},
      "bursts": {"count": 40, "unseen_waits": 0.07, "relative_error": {"memory_wait": null}}})";
  EXPECT_EQ(find_verdict(profile)->unseen, 0.07);
  profile.features.hardmeter = R"({"pmu": "software", "cycles": 2000, "totals": {"memory_wait": 500},
      "bursts": {"count": 40, "unseen_waits": 0.07, "relative_error": {"memory_wait": 0.2}}})";
  EXPECT_EQ(find_verdict(profile)->unseen, std::nullopt);
}

TEST(Verdict, KnowsTheTimeThatIsNotModelled) {
  Counting counting = counting_of_waits();
  counting.cpu =
      record::CpuUse{.time = {.user_ns = 100'000'000, .kernel_ns = 300'000'000}, .kernel_measured = false};
  EXPECT_DOUBLE_EQ(*find_verdict(counting)->unseen_kernel, 0.75);
  counting.cpu->time = {.user_ns = 1'000'000, .kernel_ns = 3'000'000};
  EXPECT_FALSE(find_verdict(counting)->unseen_kernel) << "too short to tell";
  counting.cpu->kernel_measured = true;
  EXPECT_FALSE(find_verdict(counting)->unseen_kernel);
}

TEST(Verdict, NeedsWaitsAndCycles) {
  Counting counting = counting_of_waits();
  counting.modelled->cycles.reset();
  EXPECT_FALSE(find_verdict(counting));
  counting = counting_of_waits();
  std::erase_if(counting.totals.events, [](const EventTotal& each) { return each.name == "memory_wait"; });
  EXPECT_FALSE(find_verdict(counting));
  counting.modelled.reset();
  EXPECT_FALSE(find_verdict(counting));
}

TEST(Verdict, OfARecordingComesFromTheTotalsOfItsRun) {
  profile::Profile profile;
  profile.features.hardmeter = R"({"pmu": "software", "cycles": 2000, "cost_source": "calibrated",
      "totals": {"memory_wait": 500, "l3_wait": 500, "instr_retired": 3000},
      "bursts": {"count": 40, "relative_error": {"memory_wait": 0.2}}})";
  std::optional<Verdict> verdict = find_verdict(profile);
  ASSERT_TRUE(verdict);
  EXPECT_DOUBLE_EQ(verdict->memory, 0.25);
  EXPECT_DOUBLE_EQ(*verdict->error, 0.05);
  EXPECT_TRUE(verdict->in_bursts);
  EXPECT_EQ(verdict->costs, record::CostSource::kCalibrated);
  EXPECT_EQ(verdict->of_memory.at(0).name, "L3");
  profile.features.hardmeter = R"({"pmu": "software", "cycles": 2000, "totals": {"memory_wait": 500},
      "bursts": {"count": 40, "relative_error": {"memory_wait": 0.2}, "wait_share_error": 0.01}})";
  EXPECT_DOUBLE_EQ(*find_verdict(profile)->error, 0.01);
  profile.features.hardmeter = R"({"pmu": "software", "totals": {"memory_wait": 500}})";
  EXPECT_FALSE(find_verdict(profile)) << "an older recording does not have the cycles";
  profile.features.hardmeter =
      R"({"pmu": "software", "so_far": {"cycles": 100, "totals": {"memory_wait": 10}}})";
  EXPECT_DOUBLE_EQ(find_verdict(profile)->memory, 0.1) << "the run goes on";
  profile.features.hardmeter = R"({"pmu": "hardware"})";
  EXPECT_FALSE(find_verdict(profile));
}

}  // namespace
}  // namespace hm::totals
