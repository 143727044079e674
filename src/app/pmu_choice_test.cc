// SPDX-License-Identifier: MIT
#include "app/pmu_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pmu/linux/fake_kernel.h"

namespace hm::app {
namespace {

using ::testing::HasSubstr;

Result<PmuChoice> choose(linux_pmu::Kernel& kernel, const char* events, bool runs_a_command = true,
                         PmuWish wish = PmuWish::kAuto) {
  return choose_pmu(wish, *event::parse_selections(events), runs_a_command, event::Use::kSample, kernel);
}

// A kernel without any hardware PMU, whatever the processor.
linux_pmu::FakeKernel virtual_machine() {
  linux_pmu::FakeKernel kernel;
  kernel.refuse = [](const perf_event_attr& attr, const linux_pmu::Place&) {
    return attr.type == PERF_TYPE_SOFTWARE || attr.type == PERF_TYPE_TRACEPOINT ? 0 : ENOENT;
  };
  return kernel;
}

TEST(PmuChoice, CacheMissesWithoutHardwareAreTheSoftwarePmus) {
  auto kernel = virtual_machine();
  auto choice = choose(kernel, "l1_cache_miss,clock");
  ASSERT_TRUE(choice.ok());
  EXPECT_TRUE(choice->soft);
  EXPECT_THAT(choice->reason, HasSubstr("l1_cache_miss"));
}

TEST(PmuChoice, TimeAndTheKernelsOwnEventsAreTheKernels) {
  auto kernel = virtual_machine();
  for (const char* events : {"clock", "page-faults", "clock,cs"}) {
    auto choice = choose(kernel, events);
    ASSERT_TRUE(choice.ok());
    EXPECT_FALSE(choice->soft) << events;
  }
}

TEST(PmuChoice, WhatRunsAlreadyIsTheKernelsAlone) {
  auto kernel = virtual_machine();
  EXPECT_FALSE(choose(kernel, "clock", false)->soft);
  EXPECT_THAT(choose(kernel, "l1_cache_miss", false).error().message, HasSubstr("-e clock"));
  EXPECT_EQ(choose(kernel, "clock", false, PmuWish::kSoft).error().code, ErrorCode::kUnsupported);
}

TEST(PmuChoice, NeitherHasBoth) {
  auto kernel = virtual_machine();
  EXPECT_THAT(choose(kernel, "l1_cache_miss,page-faults").error().message, HasSubstr("one after the other"));
}

TEST(PmuChoice, TheUsersWordIsTheLast) {
  auto kernel = virtual_machine();
  EXPECT_TRUE(choose(kernel, "clock", true, PmuWish::kSoft)->soft);
  EXPECT_FALSE(choose(kernel, "l1_cache_miss", true, PmuWish::kLinux)->soft);
}

}  // namespace
}  // namespace hm::app
