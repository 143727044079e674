// SPDX-License-Identifier: MIT
#include "pmu/linux/attr.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace hm::linux_pmu {
namespace {

Event precise_miss() {
  Event event;
  event.name = "l1_cache_miss";
  event.programming = {.type = PERF_TYPE_RAW, .config = 0x8d1};
  event.usual_period = 10000;
  event.max_precise = 3;
  event.sample_fields =
      PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_REGS_INTR;
  return event;
}

Intent sampling_intent() {
  Intent intent;
  intent.target.command = {"ls"};
  intent.sampling = Sampling{};
  return intent;
}

TEST(Attr, APreciseEventIsWhatTheHardwareCanBatch) {
  perf_event_attr attr = make_attr(precise_miss(), sampling_intent());
  EXPECT_EQ(attr.type, unsigned{PERF_TYPE_RAW});
  EXPECT_EQ(attr.config, 0x8d1u);
  EXPECT_EQ(attr.sample_period, 10000u);
  EXPECT_EQ(attr.freq, 0u);
  EXPECT_EQ(attr.precise_ip, 3u);
  EXPECT_EQ(attr.sample_regs_intr, kIntegerRegisters);
  EXPECT_TRUE(attr.inherit && attr.enable_on_exec && attr.disabled && attr.sample_id_all);
  EXPECT_TRUE(batching_of(attr).possible) << batching_of(attr).reason;
}

TEST(Attr, SaysWhyItCannotBatch) {
  auto reason = [](auto change) {
    Event event = precise_miss();
    Intent intent = sampling_intent();
    change(event, intent);
    Batching batching = batching_of(make_attr(event, intent));
    EXPECT_FALSE(batching.possible);
    return batching.reason;
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(reason([](Event& event, Intent&) { event.max_precise = 0; }), HasSubstr("not precise"));
  EXPECT_THAT(reason([](Event&, Intent& intent) { intent.sampling->frequency_hz = 4000; }),
              HasSubstr("frequency"));
  EXPECT_THAT(
      reason([](Event&, Intent& intent) { intent.sampling->call_chains = CallChains::kFramePointer; }),
      HasSubstr("call chains"));
  EXPECT_THAT(reason([](Event&, Intent& intent) { intent.sampling->branch_filter = PERF_SAMPLE_BRANCH_ANY; }),
              HasSubstr("branch records"));
}

TEST(Attr, CallChainsOfEachKind) {
  Intent intent = sampling_intent();
  intent.sampling->call_chains = CallChains::kDwarf;
  intent.sampling->stack_bytes = 4096;
  perf_event_attr dwarf = make_attr(precise_miss(), intent);
  EXPECT_EQ(dwarf.sample_type & (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_CALLCHAIN),
            PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_CALLCHAIN);
  EXPECT_EQ(dwarf.sample_stack_user, 4096u);
  EXPECT_TRUE(dwarf.exclude_callchain_user);
  add_side_band(dwarf);
  EXPECT_TRUE(dwarf.mmap_data) << "perf looks for unwind tables there";
  intent.sampling->call_chains = CallChains::kLastBranch;
  perf_event_attr branches = make_attr(precise_miss(), intent);
  EXPECT_TRUE(branches.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK);
  EXPECT_FALSE(branches.exclude_callchain_user) << "perf puts the calls where the user's part begins";
}

TEST(Attr, ModesOfTheSelectionComeBeforeTheCommands) {
  Intent intent = sampling_intent();
  intent.modes = {.user = true, .kernel = false, .chosen = true};
  EXPECT_TRUE(make_attr(precise_miss(), intent).exclude_kernel);
  Event in_kernel = precise_miss();
  in_kernel.user = false;
  in_kernel.kernel = true;
  perf_event_attr attr = make_attr(in_kernel, intent);
  EXPECT_TRUE(attr.exclude_user);
  EXPECT_FALSE(attr.exclude_kernel);
}

// AMD IBS refuses exclude bits unless its driver filters, and then the driver's own bit has to be set.
TEST(Attr, APmuWithoutModesIsAskedForNone) {
  Intent intent = sampling_intent();
  intent.modes = {.user = true, .kernel = false, .chosen = true};
  Event operations = precise_miss();
  operations.filters_modes = false;
  EXPECT_FALSE(make_attr(operations, intent).exclude_kernel);
  operations.filters_modes = true;
  operations.filter_config2 = 1;
  EXPECT_EQ(make_attr(operations, intent).config2, 1u);
  intent.modes = {};
  EXPECT_EQ(make_attr(operations, intent).config2, 0u);
}

TEST(Attr, PeriodsAreRoundedUpToWhatThePmuTakes) {
  Event operations = precise_miss();
  operations.period_multiple = 16;
  Intent intent = sampling_intent();
  intent.sampling->period = 1000;
  EXPECT_EQ(make_attr(operations, intent).sample_period, 1008u);
}

TEST(Attr, WhatOnlyCountsHasNoSamples) {
  Intent intent = sampling_intent();
  intent.sampling.reset();
  perf_event_attr attr = make_attr(precise_miss(), intent);
  EXPECT_EQ(attr.sample_type, 0u);
  EXPECT_EQ(attr.sample_period, 0u);
  EXPECT_EQ(attr.precise_ip, 0u);
}

TEST(Attr, WholeCpusWaitForNoExec) {
  Intent intent = sampling_intent();
  intent.target.whole_system = true;
  perf_event_attr attr = make_attr(precise_miss(), intent);
  EXPECT_FALSE(attr.enable_on_exec || attr.inherit);
}

TEST(Fallback, GivesUpOneThingAtATime) {
  perf_event_attr attr = make_attr(precise_miss(), sampling_intent());
  EXPECT_EQ(fall_back(attr, EACCES, false), Fallback::kKernelMode);
  EXPECT_TRUE(attr.exclude_kernel);
  EXPECT_EQ(fall_back(attr, EACCES, false), std::nullopt);  // nothing is left to give up
  EXPECT_EQ(fall_back(attr, EINVAL, false), Fallback::kWeightStruct);
  EXPECT_EQ(attr.sample_type & PERF_SAMPLE_WEIGHT_TYPE, uint64_t{PERF_SAMPLE_WEIGHT});
  for (unsigned level : {2u, 1u, 0u}) {
    EXPECT_EQ(fall_back(attr, EOPNOTSUPP, false), Fallback::kPrecision);
    EXPECT_EQ(attr.precise_ip, level);
  }
  EXPECT_EQ(fall_back(attr, EOPNOTSUPP, false), std::nullopt);
}

TEST(Fallback, KeepsWhatTheUserChose) {
  perf_event_attr attr = make_attr(precise_miss(), sampling_intent());
  EXPECT_EQ(fall_back(attr, EACCES, true), std::nullopt);
  EXPECT_FALSE(attr.exclude_kernel);
}

// The remaining mode would count nothing.
TEST(Fallback, NeverMeasuresTheOtherModeInstead) {
  Intent kernel_mode = sampling_intent();
  kernel_mode.modes.user = false;
  perf_event_attr attr = make_attr(precise_miss(), kernel_mode);
  EXPECT_EQ(fall_back(attr, EACCES, false), std::nullopt);
  Event switches;
  switches.programming = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CONTEXT_SWITCHES};
  attr = make_attr(switches, sampling_intent());
  EXPECT_TRUE(only_in_kernel(attr));
  EXPECT_EQ(fall_back(attr, EACCES, false), std::nullopt);
}

}  // namespace
}  // namespace hm::linux_pmu
