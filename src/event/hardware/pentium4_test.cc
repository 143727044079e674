// SPDX-License-Identifier: MIT
// Expected values: Intel SDM volume 3 (event masks and tags of the NetBurst events; the list of replay
// metrics) in the form of Linux' arch/x86/include/asm/perf_event_p4.h: the driver's event index (enum
// P4_EVENTS) at bit 57, event mask at 41, tag at 37, tag enable at 36; active thread "any" at 16; the metric
// (enum P4_PEBS_METRIC) at 0.
#include <gmock/gmock.h>
#include <linux/perf_event.h>

#include "event/hardware/documented.h"

namespace hm::event {
namespace {

using enum EventId;
using documented::encoded;
using documented::expect_encoded;

constexpr uint64_t kAnyThread = 3ull << 16;

constexpr uint64_t event(uint64_t index, uint64_t mask) { return index << 57 | mask << 41 | kAnyThread; }
constexpr uint64_t replay(uint64_t metric) { return event(37, 1) | metric; }
constexpr uint64_t tagging(uint64_t index) { return event(index, 1 << 15) | 1ull << 37 | 1ull << 36; }

constexpr uint64_t kFrontEndNbogus = event(35, 1);
constexpr uint64_t kExecutionNbogus0 = event(36, 1);

TEST(Pentium4, ReplayMetrics) {
  for (const char* cpu : {"pentium4", "pentium4-prescott"}) {
    expect_encoded(cpu, {{kL1CacheMiss, {replay(1)}},
                         {kL2CacheMiss, {replay(2)}},
                         {kDtlbLoadMiss, {replay(3)}},
                         {kDtlbStoreMiss, {replay(4)}},
                         {kDtlbAllMiss, {replay(5)}},
                         {kMobLoadReplayRetired, {replay(7), event(7, 1 << 4 | 1 << 5)}},
                         {kSplitLoadRetired, {replay(8), event(5, 1 << 1)}}});
  }
}

TEST(Pentium4, TaggedMicroOperationsNeedAHelper) {
  expect_encoded("pentium4", {{kMemoryLoads, {kFrontEndNbogus, event(40, 1 << 1)}},
                              {kMemoryStores, {kFrontEndNbogus, event(40, 1 << 2)}},
                              {kMemoryMoves, {kFrontEndNbogus, event(40, 1 << 1 | 1 << 2)}},
                              {kPackedSpRetired, {kExecutionNbogus0, tagging(16)}},
                              {kPackedDpRetired, {kExecutionNbogus0, tagging(17)}},
                              {kScalarSpRetired, {kExecutionNbogus0, tagging(18)}},
                              {kScalarDpRetired, {kExecutionNbogus0, tagging(19)}},
                              {kMmx64Retired, {kExecutionNbogus0, tagging(20)}},
                              {kSimd128Retired, {kExecutionNbogus0, tagging(21)}},
                              {kX87FpRetired, {kExecutionNbogus0, tagging(22)}}});
  std::vector<Encoding> loads = encoded(kMemoryLoads, "pentium4");
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_FALSE(loads[0].helper);
  EXPECT_TRUE(loads[1].helper);
  EXPECT_TRUE(loads[0].exclusive);
  EXPECT_FALSE(encoded(kInstrRetired, "pentium4").front().exclusive);
}

TEST(Pentium4, PlainEvents) {
  expect_encoded("pentium4", {{kInstrRetired, {event(38, 1 << 0 | 1 << 1)}},
                              {kUopRetired, {event(39, 1)}},
                              {kBranchRetired, {event(41, 0xf)}},
                              {kBranchMispredict, {event(42, 1)}},
                              {kICacheMiss, {event(1, 1)}},
                              {kItlbMiss, {event(2, 1 << 1)}},
                              {kClock, {event(24, 1)}}});
}

TEST(Pentium4, LinuxDoesNotSampleItPrecisely) {
  Encoding miss = encoded(kL1CacheMiss, "pentium4").front();
  EXPECT_EQ(miss.type, PERF_TYPE_RAW);
  EXPECT_EQ(miss.max_precise_ip, 0);
  EXPECT_FALSE(miss.precise || miss.data_address);
  EXPECT_THAT(miss.note, ::testing::HasSubstr("samples skid"));
}

}  // namespace
}  // namespace hm::event
