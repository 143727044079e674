// SPDX-License-Identifier: MIT
#include "pmu/linux/resolve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pmu/linux/fake_kernel.h"

namespace hm::linux_pmu {
namespace {

using ::testing::HasSubstr;

constexpr event::CpuModel kAlderLake{event::Vendor::kIntel, 6, 0x97, 2, true, true};
constexpr event::CpuModel kZen4{event::Vendor::kAmd, 0x19, 0x11, 1, false, false};
const std::string kDevices = "/sys/bus/event_source/devices/";

Result<std::vector<Event>> resolved(FakeKernel& kernel, std::string_view words, event::Use use) {
  return resolve_all(kernel, *event::parse_selections(words), use);
}

TEST(Resolve, EachKindOfCoreCountsOnItsOwnCpus) {
  FakeKernel kernel;
  kernel.processor = kAlderLake;
  kernel.files[kDevices + "cpu_core/type"] = "4";
  kernel.files[kDevices + "cpu_core/cpus"] = "0-7";
  kernel.files[kDevices + "cpu_atom/type"] = "10";
  kernel.files[kDevices + "cpu_atom/cpus"] = "8-9,11";
  auto events = resolved(kernel, "l1_cache_miss:u", event::Use::kSample);
  ASSERT_TRUE(events.ok()) << events.error().message;
  ASSERT_EQ(events->size(), 2u);
  EXPECT_EQ((*events)[0].programming.type, 4u);
  EXPECT_EQ((*events)[0].cpus.size(), 8u);
  EXPECT_EQ((*events)[1].programming.type, 10u);
  EXPECT_EQ((*events)[1].cpus, (std::vector<int>{8, 9, 11}));
  EXPECT_THAT((*events)[1].name, HasSubstr("@cpu_atom:"));
  for (const Event& each : *events) {
    EXPECT_EQ(each.user, true);
    EXPECT_EQ(each.kernel, false);
  }
}

TEST(Resolve, TheLowPowerIslandIsAThirdKindOfCore) {
  FakeKernel kernel;
  kernel.processor = {event::Vendor::kIntel, 6, 0xc5, 2, true, true, true};
  kernel.files[kDevices + "cpu_core/type"] = "4";
  kernel.files[kDevices + "cpu_atom/type"] = "10";
  kernel.files[kDevices + "cpu_lowpower/type"] = "11";
  kernel.files[kDevices + "cpu_lowpower/cpus"] = "14-15";
  auto events = resolved(kernel, "l1_cache_miss", event::Use::kSample);
  ASSERT_TRUE(events.ok()) << events.error().message;
  ASSERT_EQ(events->size(), 3u);
  EXPECT_EQ((*events)[2].programming.type, 11u);
  EXPECT_EQ((*events)[2].programming.config, 0x40d1u);
  EXPECT_EQ((*events)[2].cpus, (std::vector<int>{14, 15}));
}

TEST(Resolve, AMissingPmuIsNamed) {
  FakeKernel kernel;
  kernel.processor = kAlderLake;
  kernel.files[kDevices + "cpu_core/type"] = "4";
  EXPECT_THAT(resolved(kernel, "l1_cache_miss", event::Use::kSample).error().message,
              HasSubstr("no PMU cpu_atom"));
  kernel.files[kDevices + "cpu_atom/type"] = "nonsense";
  EXPECT_FALSE(resolved(kernel, "l1_cache_miss", event::Use::kSample).ok());
  kernel.processor = {};
  EXPECT_EQ(resolved(kernel, "l1_cache_miss", event::Use::kSample).error().code, ErrorCode::kUnsupported);
}

// On IBS, software separates user from kernel mode if the PMU's format has swfilt.
TEST(Resolve, FiltersModesWhereTheKernelCan) {
  FakeKernel kernel;
  kernel.processor = kZen4;
  kernel.files[kDevices + "ibs_op/type"] = "9";
  Event without = resolved(kernel, "l2_cache_miss", event::Use::kSample)->front();
  EXPECT_FALSE(without.filters_modes);
  kernel.files[kDevices + "ibs_op/format/swfilt"] = "config2:0";
  Event with = resolved(kernel, "l2_cache_miss", event::Use::kSample)->front();
  EXPECT_TRUE(with.filters_modes);
  EXPECT_EQ(with.filter_config2, 1u);
  EXPECT_EQ(with.programming.type, 9u);
}

TEST(Resolve, TracepointsHaveTheKernelsNumber) {
  FakeKernel kernel;
  kernel.folders["/sys/kernel/tracing/events"] = {"sched"};
  kernel.files["/sys/kernel/tracing/events/sched/sched_switch/id"] = "314";
  auto events = resolved(kernel, "sched:sched_switch", event::Use::kCount);
  ASSERT_TRUE(events.ok());
  EXPECT_EQ(events->front().programming.type, unsigned{PERF_TYPE_TRACEPOINT});
  EXPECT_EQ(events->front().programming.config, 314u);
  EXPECT_EQ(events->front().sample_fields, uint64_t{PERF_SAMPLE_RAW});
  EXPECT_EQ(resolved(kernel, "sched:none", event::Use::kCount).error().code, ErrorCode::kNotFound);
  FakeKernel unmounted;
  EXPECT_THAT(resolved(unmounted, "sched:sched_switch", event::Use::kCount).error().message,
              HasSubstr("mount -t tracefs"));
  kernel.root = false;
  EXPECT_THAT(resolved(kernel, "sched:none", event::Use::kCount).error().message, HasSubstr("run as root"));
}

TEST(Resolve, BreakpointsThatNoticeNothingAreRefused) {
  FakeKernel kernel;
  EXPECT_TRUE(resolved(kernel, "mem:0x404060/8:w", event::Use::kCount).ok());
  kernel.count = 0;
  auto events = resolved(kernel, "mem:0x404060/8:w", event::Use::kCount);
  ASSERT_FALSE(events.ok());
  EXPECT_THAT(events.error().message, HasSubstr("report no access"));
}

TEST(Resolve, NoPathLeadsOutOfTheTracepoints) {
  FakeKernel kernel;
  kernel.files["/etc/id"] = "1";
  event::Selection outside;
  for (const char* name : {"sched:../../../../etc", ":etc"}) {
    outside.name = outside.tracepoint = name;
    EXPECT_EQ(resolve(kernel, outside, event::Use::kCount).error().code, ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace hm::linux_pmu
