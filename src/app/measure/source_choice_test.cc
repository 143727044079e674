// SPDX-License-Identifier: MIT
#include "app/measure/source_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pmu/linux/fake_kernel.h"

namespace hm::measure {
namespace {

using ::testing::HasSubstr;

Result<Choice> choose(linux_pmu::Kernel& kernel, const char* events, Measured measured = Measured::kCommand,
                      std::optional<SourceKind> wish = std::nullopt) {
  return choose_source(wish, *event::parse_selections(events), measured, event::Use::kSample, kernel);
}

// A kernel without any hardware PMU, for every processor.
linux_pmu::FakeKernel virtual_machine() {
  linux_pmu::FakeKernel kernel;
  kernel.refuse = [](const perf_event_attr& attr, const linux_pmu::PidAndCpu&) {
    return attr.type == PERF_TYPE_SOFTWARE || attr.type == PERF_TYPE_TRACEPOINT ? 0 : ENOENT;
  };
  return kernel;
}

TEST(SourceChoice, CacheMissesWithoutHardwareAreTheSoftwarePmus) {
  auto kernel = virtual_machine();
  auto choice = choose(kernel, "l1_cache_miss,clock");
  ASSERT_TRUE(choice.ok());
  EXPECT_EQ(choice->source, SourceKind::kSoftware);
  EXPECT_THAT(choice->reason, HasSubstr("l1_cache_miss"));
}

TEST(SourceChoice, FeaturesOfTheSoftwarePmuSelectIt) {
  MeasureOptions options;
  EXPECT_EQ(wished_source(options, nullptr), std::nullopt);
  options.software.layout = 1;
  EXPECT_EQ(wished_source(options, nullptr), SourceKind::kSoftware);
  options.software.layout = 0;
  options.software.reproducible.emplace();
  EXPECT_EQ(wished_source(options, nullptr), SourceKind::kSoftware);
}

TEST(SourceChoice, FeaturesOfTheSoftwarePmuAreNamedAsOptions) {
  MeasureOptions options;
  EXPECT_EQ(software_feature(options, nullptr), "");
  options.software.layout = 2;
  EXPECT_EQ(software_feature(options, nullptr), "--layout");
  options.software.bursts.emplace();
  EXPECT_EQ(software_feature(options, nullptr), "--detail");
  options.software.bursts_if_possible = true;  // not stated by the user
  EXPECT_EQ(software_feature(options, nullptr), "--layout");
  options.software.exact = true;
  EXPECT_EQ(software_feature(options, nullptr), "--detail");
  SamplingOptions sampling;
  sampling.allocators.emplace_back();
  EXPECT_EQ(software_feature({}, &sampling), "--allocator");
}

TEST(SourceChoice, TimeAndTheKernelsOwnEventsAreTheKernels) {
  auto kernel = virtual_machine();
  for (const char* events : {"clock", "page-faults", "clock,cs"}) {
    auto choice = choose(kernel, events);
    ASSERT_TRUE(choice.ok());
    EXPECT_EQ(choice->source, SourceKind::kKernel) << events;
  }
}

TEST(SourceChoice, AWholeSystemIsTheKernelsAlone) {
  auto kernel = virtual_machine();
  EXPECT_EQ(choose(kernel, "clock", Measured::kOther)->source, SourceKind::kKernel);
  EXPECT_THAT(choose(kernel, "l1_cache_miss", Measured::kOther).error().message, HasSubstr("-e clock"));
  EXPECT_EQ(choose(kernel, "clock", Measured::kOther, SourceKind::kSoftware).error().code,
            ErrorCode::kUnsupported);
}

TEST(SourceChoice, RunningProcessesAreTheSoftwarePmusOnlyWhereTheUserSaysSo) {
  auto kernel = virtual_machine();
  EXPECT_EQ(choose(kernel, "clock", Measured::kProcesses)->source, SourceKind::kKernel);
  EXPECT_THAT(choose(kernel, "l1_cache_miss", Measured::kProcesses).error().message, HasSubstr("--pmu=soft"));
  EXPECT_EQ(choose(kernel, "l1_cache_miss", Measured::kProcesses, SourceKind::kSoftware)->source,
            SourceKind::kSoftware);
}

// The software PMU models only a program's own code, even within a budget.
TEST(SourceChoice, TheKernelIsMeasuredByTimeWithoutHardware) {
  auto kernel = virtual_machine();
  pmu::Modes kernel_only{false, true, true};
  for (Measured measured :
       {Measured::kCommand, Measured::kProcesses, Measured::kProcessesWithinBudget, Measured::kOther}) {
    auto choice = choose_source(std::nullopt, *event::parse_selections("l1_cache_miss"), measured,
                                event::Use::kSample, kernel, kernel_only);
    ASSERT_FALSE(choice.ok());
    EXPECT_THAT(choice.error().message,
                ::testing::AllOf(HasSubstr("-k -e clock"), ::testing::Not(HasSubstr("--budget"))));
  }
  EXPECT_EQ(kernel_mode_advice({true, true, false}), "");
  EXPECT_THAT(kernel_mode_advice({true, true, true}), HasSubstr("-u -k -e clock"));
}

TEST(SourceChoice, ABudgetLetsTheSoftwarePmuAttachWhereTheKernelsCannot) {
  auto kernel = virtual_machine();
  EXPECT_EQ(choose(kernel, "clock", Measured::kProcessesWithinBudget)->source, SourceKind::kKernel);
  EXPECT_EQ(choose(kernel, "l1_cache_miss", Measured::kProcessesWithinBudget)->source, SourceKind::kSoftware);
}

TEST(SourceChoice, WhatIsMeasuredIsACommandOrProcessesOrNeither) {
  pmu::Target target;
  target.command = {"true"};
  EXPECT_EQ(measured_of(target, 0), Measured::kCommand);
  target.pids = {1};
  EXPECT_EQ(measured_of(target, 0), Measured::kProcesses) << "the command only says how long";
  EXPECT_EQ(measured_of(target, 0.05), Measured::kProcessesWithinBudget);
  target.tids = {1};
  EXPECT_EQ(measured_of(target, 0.05), Measured::kOther);
}

TEST(SourceChoice, NeitherHasBoth) {
  auto kernel = virtual_machine();
  EXPECT_THAT(choose(kernel, "l1_cache_miss,page-faults").error().message, HasSubstr("one after the other"));
}

TEST(SourceChoice, TheUsersWordIsTheLast) {
  auto kernel = virtual_machine();
  EXPECT_EQ(choose(kernel, "clock", Measured::kCommand, SourceKind::kSoftware)->source,
            SourceKind::kSoftware);
  EXPECT_EQ(choose(kernel, "l1_cache_miss", Measured::kCommand, SourceKind::kKernel)->source,
            SourceKind::kKernel);
}

}  // namespace
}  // namespace hm::measure
