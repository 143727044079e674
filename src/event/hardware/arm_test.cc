// SPDX-License-Identifier: MIT
// Expected values: Arm ARM (DDI 0487), "Common event numbers"; the Neoverse Technical Reference Manuals, "PMU
// events", and github.com/ARM-software/data; SPE: PMSEVFR_EL1 and Linux' drivers/perf/arm_spe_pmu.c, "User
// ABI".
#include <gmock/gmock.h>

#include "event/hardware/documented.h"

namespace hm::event {
namespace {

using enum EventId;
using documented::encoded;
using documented::expect_encoded;
using ::testing::HasSubstr;

TEST(Arm, Counts) {
  for (const char* cpu : {"neoverse-n1", "neoverse-v1", "neoverse-n2", "neoverse-v2", "neoverse-v3"}) {
    expect_encoded(cpu,
                   {{kInstrRetired, {0x0008}},
                    {kMemoryLoads, {0x0070}},
                    {kMemoryStores, {0x0071}},
                    {kMemoryMoves, {0x0070, 0x0071}},
                    {kL1CacheMiss, {0x0042}},
                    {kL1StoreMiss, {0x0043}},
                    {kL2CacheMiss, {0x0052}},
                    {kL3CacheMiss, {0x0037}},
                    {kDtlbLoadMiss, {0x004c}},
                    {kDtlbStoreMiss, {0x004d}},
                    {kDtlbAllMiss, {0x0005}},
                    {kICacheMiss, {0x0001}},
                    {kItlbMiss, {0x0002}},
                    {kBranchRetired, {0x0021}},
                    {kBranchMispredict, {0x0022}},
                    {kClock, {0x0011}}},
                   Use::kCount);
    EXPECT_EQ(encoded(kClock, cpu).front().pmu, "armv8_pmuv3_0");
  }
  expect_encoded("neoverse-v1", {{kUopRetired, {0x003a}}}, Use::kCount);
  EXPECT_THAT(documented::refusal(kUopRetired, "neoverse-n1", Use::kCount),
              HasSubstr("the nearest is INST_SPEC"));
  EXPECT_THAT(documented::refusal(kX87FpRetired, "neoverse-n1"), HasSubstr("neither x87 nor MMX"));
}

TEST(Arm, NeoverseN3DoesNotTellLoadsFromStores) {
  expect_encoded("neoverse-n3",
                 {{kInstrRetired, {0x0008}},
                  {kUopRetired, {0x003a}},
                  {kMemoryMoves, {0x0070, 0x0071}},
                  {kL1CacheMiss, {0x0039}},
                  {kL2CacheMiss, {0x0052}},
                  {kL3CacheMiss, {0x0037}},
                  {kDtlbAllMiss, {0x0005}},
                  {kICacheMiss, {0x0001}},
                  {kItlbMiss, {0x0002}},
                  {kBranchRetired, {0x0021}},
                  {kBranchMispredict, {0x0022}},
                  {kClock, {0x0011}}},
                 Use::kCount);
  for (EventId id : {kL1StoreMiss, kDtlbLoadMiss, kDtlbStoreMiss, kSplitLoadRetired}) {
    EXPECT_THAT(documented::refusal(id, "neoverse-n3", Use::kCount), HasSubstr("the nearest is"));
  }
  EXPECT_EQ(encoded(kL1StoreMiss, "neoverse-n3").front().pmu, "arm_spe_0");
}

// ts_enable config:0, jitter config:16, branch_filter config:32, load_filter config:33, store_filter
// config:34.
TEST(Arm, SpeFilters) {
  constexpr uint64_t kAlways = 1ull | 1ull << 16;
  constexpr uint64_t kBranch = 1ull << 32;
  constexpr uint64_t kLoad = 1ull << 33;
  constexpr uint64_t kStore = 1ull << 34;
  expect_encoded("neoverse-n1", {{kUopRetired, {kAlways}, 0x02},
                                 {kMemoryLoads, {kAlways | kLoad}, 0x02},
                                 {kMemoryStores, {kAlways | kStore}, 0x02},
                                 {kMemoryMoves, {kAlways | kLoad | kStore}, 0x02},
                                 {kL1CacheMiss, {kAlways | kLoad}, 0x0a},
                                 {kL1StoreMiss, {kAlways | kStore}, 0x0a},
                                 {kL2CacheMiss, {kAlways | kLoad}, 0x0a},
                                 {kDtlbLoadMiss, {kAlways | kLoad}, 0x22},
                                 {kDtlbAllMiss, {kAlways | kLoad | kStore}, 0x22},
                                 {kBranchRetired, {kAlways | kBranch}, 0x02},
                                 {kBranchMispredict, {kAlways | kBranch}, 0x82}});
}

TEST(Arm, WhatAnSpeSampleTells) {
  Encoding miss = encoded(kL1CacheMiss, "neoverse-v1").front();
  EXPECT_EQ(miss.pmu, "arm_spe_0");
  EXPECT_FALSE(miss.type.has_value());
  EXPECT_EQ(miss.delivery, Delivery::kAux);
  EXPECT_EQ(miss.period_unit, PeriodUnit::kOperations);
  EXPECT_TRUE(miss.precise && miss.privilege_filter && miss.data_address);
  EXPECT_TRUE(miss.keep.keeps_all());
  EXPECT_EQ(encoded(kL3CacheMiss, "neoverse-v1").front().keep.missed_cache_level, 3);
  EXPECT_FALSE(encoded(kBranchRetired, "neoverse-v1").front().data_address);
}

}  // namespace
}  // namespace hm::event
