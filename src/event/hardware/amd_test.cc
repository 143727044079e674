// SPDX-License-Identifier: MIT
// Expected values: AMD's Processor Programming References for family 17h model 31h, 19h model 01h and 19h
// model 11h, "Performance monitor counters" (PMCxNNN; unit mask << 8 | event, bits 8 to 11 of the event at
// bit 32: PERF_CTL), and IbsOpCtl, MSR C001_1033. Zen 5, Zen 6 and SSE_AVX_OPS_RETIRED of
// Zen 4: AMD's tables in Linux, tools/perf/pmu-events/arch/x86, amdzen4 to amdzen6.
#include <gmock/gmock.h>
#include <linux/perf_event.h>

#include "event/hardware/documented.h"

namespace hm::event {
namespace {

using enum EventId;
using documented::encoded;
using documented::expect_encoded;
using ::testing::HasSubstr;

// Events with equal encodings from Zen 2 to Zen 6.
const std::vector<documented::Event> kAllCores = {
    {kInstrRetired, {0x00c0}},  {kUopRetired, {0x00c1}},
    {kMemoryLoads, {0x0529}},   {kMemoryStores, {0x0629}},
    {kMemoryMoves, {0x0729}},   {kDtlbAllMiss, {0xff45}},
    {kClock, {0x0076}},         {kMobLoadReplayRetired, {0x0224}},
    {kBranchRetired, {0x00c2}}, {kBranchMispredict, {0x00c3}},
};

// Zen 6 has no such events of instructions.
const std::vector<documented::Event> kUntilZen5 = {{kMmx64Retired, {0x02cb}}, {kX87FpRetired, {0x01cb}}};

// Zen 4 and later.
const std::vector<documented::Event> kSinceZen4 = {
    {kL1CacheMiss, {0xdf43}},    {kL2CacheMiss, {0xde43}},      {kL3CacheMiss, {0xdc43}},
    {kSimd128Retired, {0xf00b}}, {kItlbMiss, {0x0084, 0x0f85}}, {kSplitLoadRetired, {0x0147}},
};

TEST(Amd, Zen2Counts) {
  expect_encoded("zen2", kAllCores, Use::kCount);
  expect_encoded("zen2", kUntilZen5, Use::kCount);
  expect_encoded("zen2",
                 {{kL1CacheMiss, {0x5b43}},
                  {kL2CacheMiss, {0x5a43}},
                  {kL3CacheMiss, {0x4843}},
                  {kICacheMiss, {0x0082, 0x0083}},
                  {kItlbMiss, {0x0084, 0x0785}}},
                 Use::kCount);
  EXPECT_THAT(documented::refusal(kSplitLoadRetired, "zen2", Use::kCount), HasSubstr("MISALIGNED_LOADS"));
}

TEST(Amd, Zen3Counts) {
  expect_encoded("zen3", kAllCores, Use::kCount);
  expect_encoded("zen3", kUntilZen5, Use::kCount);
  expect_encoded("zen3",
                 {{kL1CacheMiss, {0x5f43}},
                  {kL2CacheMiss, {0x5e43}},
                  {kL3CacheMiss, {0x5c43}},
                  {kSplitLoadRetired, {0x0147}},
                  {kICacheMiss, {0x1'0000'188e}},
                  {kItlbMiss, {0x0084, 0x0f85}}},
                 Use::kCount);
}

TEST(Amd, Zen4Counts) {
  expect_encoded("zen4", kAllCores, Use::kCount);
  expect_encoded("zen4", kUntilZen5, Use::kCount);
  expect_encoded("zen4", kSinceZen4, Use::kCount);
  expect_encoded("zen4", {{kICacheMiss, {0x1'0000'188e}}}, Use::kCount);
}

TEST(Amd, Zen5Counts) {
  expect_encoded("zen5", kAllCores, Use::kCount);
  expect_encoded("zen5", kUntilZen5, Use::kCount);
  expect_encoded("zen5", kSinceZen4, Use::kCount);
  expect_encoded("zen5", {{kICacheMiss, {0x1'0000'188e}}}, Use::kCount);
  EXPECT_THAT(documented::refusal(kScalarSpRetired, "zen5", Use::kCount),
              HasSubstr("counts operations by width and precision"));
}

TEST(Amd, Zen6Counts) {
  expect_encoded("zen6", kAllCores, Use::kCount);
  expect_encoded("zen6", kSinceZen4, Use::kCount);
  expect_encoded("zen6",
                 {{kMmx64Retired, {0x0f0b}}, {kX87FpRetired, {0x0702}}, {kICacheMiss, {0x2'0000'df9c}}},
                 Use::kCount);
}

TEST(Amd, CountersDoNotTellLoadsFromStores) {
  for (EventId id : {kL1StoreMiss, kDtlbLoadMiss, kDtlbStoreMiss, kSharedLineHit}) {
    EXPECT_THAT(documented::refusal(id, "zen3", Use::kCount), HasSubstr("sampling with IBS does"));
  }
}

TEST(Amd, IbsSamplesOperations) {
  for (const char* cpu : {"zen2", "zen3", "zen4", "zen5", "zen6"}) {
    std::vector<Encoding> sampled = encoded(kL1CacheMiss, cpu);
    ASSERT_EQ(sampled.size(), 1u) << cpu;
    const Encoding& miss = sampled.front();
    EXPECT_EQ(miss.pmu, "ibs_op");
    EXPECT_FALSE(miss.type.has_value());
    EXPECT_EQ(miss.config, 1u << 19);  // IbsOpCntCtl
    EXPECT_TRUE(miss.precise && miss.data_address && miss.weight && miss.data_source);
    EXPECT_EQ(miss.max_precise_ip, 0);
    EXPECT_TRUE(miss.exclusive);
    EXPECT_FALSE(miss.privilege_filter || miss.branch_stack);
    EXPECT_EQ(miss.privilege_bits.format, "swfilt");
    EXPECT_EQ(miss.privilege_bits.config2, 1u);
    EXPECT_EQ(miss.period_unit, PeriodUnit::kOperations);
    EXPECT_EQ(miss.period_multiple, 16u);
    EXPECT_EQ(miss.keep, (SampleFilter{.stores = false, .others = false, .missed_cache_level = 1}));
    EXPECT_THAT(miss.note, HasSubstr("no user or kernel filter"));
  }
}

TEST(Amd, EachIbsEventKeepsItsOwn) {
  constexpr SampleFilter kLoads{.stores = false, .others = false};
  EXPECT_TRUE(encoded(kUopRetired, "zen3").front().keep.keeps_all());
  EXPECT_EQ(encoded(kMemoryLoads, "zen3").front().keep, kLoads);
  EXPECT_EQ(encoded(kMemoryStores, "zen3").front().keep, (SampleFilter{.loads = false, .others = false}));
  EXPECT_EQ(encoded(kMemoryMoves, "zen3").front().keep, (SampleFilter{.others = false}));
  EXPECT_EQ(encoded(kL3CacheMiss, "zen3").front().keep.missed_cache_level, 3);
  EXPECT_FALSE(encoded(kL1StoreMiss, "zen3").front().keep.loads);
  EXPECT_TRUE(encoded(kDtlbLoadMiss, "zen3").front().keep.missed_tlb);
  EXPECT_TRUE(encoded(kDtlbAllMiss, "zen3").front().keep.stores);
  EXPECT_TRUE(encoded(kSharedLineHit, "zen3").front().keep.modified_elsewhere);
}

TEST(Amd, IbsDropsThirdLevelHitsSinceZen4) {
  for (const char* cpu : {"zen4", "zen5", "zen6"}) {
    EXPECT_EQ(encoded(kL3CacheMiss, cpu).front().fewer_samples_bits.config, 1u << 16);  // IbsOpL3MissOnly
    EXPECT_EQ(encoded(kL3CacheMiss, cpu).front().fewer_samples_bits.format, "l3missonly");
  }
  EXPECT_EQ(encoded(kL3CacheMiss, "zen3").front().fewer_samples_bits.format, "");
  EXPECT_EQ(encoded(kL2CacheMiss, "zen4").front().fewer_samples_bits.format, "");
}

TEST(Amd, WhatIbsCannotTellSamplesTheCoresCounters) {
  Encoding branch = encoded(kBranchMispredict, "zen3").front();
  EXPECT_EQ(branch.pmu, "cpu");
  EXPECT_EQ(branch.type, PERF_TYPE_RAW);
  EXPECT_FALSE(branch.precise);
  EXPECT_TRUE(branch.privilege_filter);
  EXPECT_FALSE(branch.branch_stack);
  for (const char* cpu : {"zen4", "zen5", "zen6"}) {
    EXPECT_TRUE(encoded(kBranchMispredict, cpu).front().branch_stack) << cpu;
  }
}

}  // namespace
}  // namespace hm::event
