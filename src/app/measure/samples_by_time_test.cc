// SPDX-License-Identifier: MIT
#include "app/measure/samples_by_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/measure/sampling_arguments.h"
#include "pmu/linux/attr.h"
#include "pmu/linux/fake_kernel.h"
#include "pmu/linux/resolve.h"

namespace hm::measure {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Asked {
  MeasureOptions what;
  SamplingOptions sampling;
};

Asked every_100us(const char* branches, bool whole_system) {
  Asked options;
  options.what.events = *event::parse_selections("l1_cache_miss");
  options.what.usual_events = true;
  options.what.target.command = {"true"};
  options.what.target.whole_system = whole_system;
  options.sampling.period = "100us";
  options.sampling.branches = branches;
  return options;
}

Result<ByTime> by_time(const Asked& asked, linux_pmu::Kernel& kernel) {
  return sample_by_time(asked.what, asked.sampling, kernel);
}

// A kernel with LBR, or one without any hardware PMU.
linux_pmu::FakeKernel kernel(bool has_branches) {
  linux_pmu::FakeKernel kernel;
  kernel.refuse = [=](const perf_event_attr& attr, const linux_pmu::PidAndCpu&) {
    bool software = attr.type == PERF_TYPE_SOFTWARE;
    if (software && (attr.sample_type & PERF_SAMPLE_BRANCH_STACK) != 0) return EOPNOTSUPP;
    return software || has_branches ? 0 : ENOENT;
  };
  return kernel;
}

TEST(SamplesByTime, AreOfTheClockWhereNobodyNamesAnEvent) {
  linux_pmu::FakeKernel none = kernel(false);
  ByTime found = *by_time(every_100us("", true), none);
  EXPECT_EQ(found.what.events.front().name, "clock");
  EXPECT_EQ(found.sampling.period, "100us");
  EXPECT_THAT(found.reason, IsEmpty());
}

// The configuration of the paper: every 100 us, calls and returns, user mode, the whole system.
TEST(SamplesByTime, WithBranchesAreOfCycles) {
  linux_pmu::FakeKernel lbr = kernel(true);
  ByTime found = *by_time(every_100us("call,ret", true), lbr);
  const MeasureOptions& what = found.what;
  EXPECT_EQ(what.source, SourceKind::kKernel);
  EXPECT_THAT(found.reason, HasSubstr("cycles are sampled at the same rate"));
  linux_pmu::Event cycles = linux_pmu::resolve(lbr, what.events.front(), event::Use::kSample).value().front();
  linux_pmu::Intent intent{.target = what.target, .events = {cycles}, .sampling = {}, .modes = what.modes};
  intent.sampling = linux_pmu::Sampling{.frequency_hz = found.sampling.frequency_hz,
                                        .branch_filter = *kernel_branches(found.sampling.branches)};
  perf_event_attr attr = linux_pmu::make_attr(cycles, intent);
  EXPECT_EQ(attr.type, static_cast<uint32_t>(PERF_TYPE_HARDWARE));
  EXPECT_EQ(attr.config, static_cast<uint64_t>(PERF_COUNT_HW_CPU_CYCLES));
  EXPECT_EQ(attr.freq, 1u);
  EXPECT_EQ(attr.sample_freq, 10'000u);
  EXPECT_NE(attr.sample_type & PERF_SAMPLE_BRANCH_STACK, 0u);
  EXPECT_EQ(attr.branch_sample_type,
            static_cast<uint64_t>(PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_ANY_RETURN));
  EXPECT_EQ(attr.exclude_kernel, 1u);
  EXPECT_EQ(attr.exclude_user, 0u);
}

TEST(SamplesByTime, WithBranchesAreTheSoftwarePmusWhereTheProcessorRecordsNone) {
  linux_pmu::FakeKernel none = kernel(false);
  ByTime found = *by_time(every_100us("call,ret", false), none);
  EXPECT_EQ(found.what.source, SourceKind::kSoftware);
  EXPECT_EQ(found.what.events.front().name, "instr_retired");
  EXPECT_EQ(found.sampling.period, "300000");
  EXPECT_THAT(found.reason, HasSubstr("100000 ns"));
}

TEST(SamplesByTime, WithBranchesAreRefusedWhereNeitherCan) {
  linux_pmu::FakeKernel none = kernel(false);
  Result<ByTime> found = by_time(every_100us("call,ret", true), none);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(found.error().message, HasSubstr("omit -b"));
  Asked kernels = every_100us("call,ret", false);
  kernels.what.source = SourceKind::kKernel;
  EXPECT_FALSE(by_time(kernels, none).ok());
}

TEST(SamplesByTime, MayBeAskedForAsAFrequency) {
  linux_pmu::FakeKernel lbr = kernel(true);
  Asked often = every_100us("call,ret", true);
  often.what.events = *event::parse_selections("clock");
  often.what.usual_events = false;
  often.sampling.period.clear();
  often.sampling.frequency_hz = 5000;
  ByTime found = *by_time(often, lbr);
  EXPECT_EQ(found.what.events.front().name, "cycles");
  EXPECT_EQ(found.sampling.frequency_hz, 5000u);
}

TEST(SamplesByTime, OtherEventsStay) {
  linux_pmu::FakeKernel none = kernel(false);
  Asked named = every_100us("call,ret", false);
  named.what.usual_events = false;
  EXPECT_EQ(by_time(named, none)->what.events.front().name, "l1_cache_miss");
  Asked counted = every_100us("call,ret", false);
  counted.sampling.period = "1000";
  EXPECT_EQ(by_time(counted, none)->what.events.front().name, "l1_cache_miss");
}

}  // namespace
}  // namespace hm::measure
