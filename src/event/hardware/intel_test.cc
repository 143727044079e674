// SPDX-License-Identifier: MIT
// Expected values: Intel's event lists (github.com/intel/perfmon: SKX, ICX, SPR, GNR, ADL, MTL, ARL, LNL,
// PTL), event code and umask as umask << 8 | code. config1 holds MSR_PEBS_FRONTEND (3F7H) for
// FRONTEND_RETIRED.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include "event/hardware/documented.h"

namespace hm::event {
namespace {

using enum EventId;
using documented::encoded;
using documented::expect_encoded;
using ::testing::HasSubstr;

// Events with equal encodings since Skylake.
const std::vector<documented::Event> kAllCores = {
    {kMemoryLoads, {0x81d0}},      {kMemoryStores, {0x82d0}},
    {kScalarSpRetired, {0x02c7}},  {kScalarDpRetired, {0x01c7}},
    {kL1CacheMiss, {0x08d1}},      {kL2CacheMiss, {0x10d1}},
    {kL3CacheMiss, {0x20d1}},      {kDtlbLoadMiss, {0x11d0}},
    {kDtlbStoreMiss, {0x12d0}},    {kDtlbAllMiss, {0x11d0, 0x12d0}},
    {kSplitLoadRetired, {0x41d0}}, {kBranchRetired, {0x00c4}},
    {kBranchMispredict, {0x00c5}}, {kClock, {0x003c}},
    {kUopRetired, {0x02c2}},
};

// Events with equal encodings until Golden Cove.
const std::vector<documented::Event> kUntilGoldenCove = {
    {kMemoryMoves, {0x83d0}}, {kICacheMiss, {0x01c6}, 0x12}, {kItlbMiss, {0x01c6}, 0x14}};

// Events with equal encodings since Golden Cove.
const std::vector<documented::Event> kSinceGoldenCove = {
    {kInstrRetired, {0x0100}},
    {kSimd128Retired, {0x13e7, 0xace7}},
    {kMobLoadReplayRetired, {0x8203, 0x0403}},
};

// Events with equal encodings since Redwood Cove.
const std::vector<documented::Event> kSinceRedwoodCove = {{kICacheMiss, {0x03c6}, 0x12},
                                                          {kItlbMiss, {0x03c6}, 0x14}};

void expect_performance_cores(const char* cpu, const std::vector<documented::Event>& events,
                              Use use = Use::kSample) {
  for (const documented::Event& event : events) {
    std::vector<uint64_t> configs;
    for (const Encoding& each : encoded(event.id, cpu, use)) {
      if (each.pmu != "cpu_core") continue;
      configs.push_back(each.config);
      EXPECT_EQ(each.config1, event.config1) << cpu << ' ' << each.native;
    }
    EXPECT_EQ(configs, event.configs) << cpu << ' ' << event_template(event.id).name;
  }
}

TEST(Intel, SkylakeX) {
  for (const char* cpu : {"skylake-sp", "cascadelake-sp"}) {
    expect_encoded(cpu, kAllCores);
    expect_encoded(cpu, kUntilGoldenCove);
    expect_encoded(cpu, {{kInstrRetired, {0x01c0}},
                         {kPackedSpRetired, {0x08c7, 0x20c7, 0x80c7}},
                         {kPackedDpRetired, {0x04c7, 0x10c7, 0x40c7}},
                         {kMobLoadReplayRetired, {0x0203, 0x0107}},
                         {kSharedLineHit, {0x04d2, 0x04d3}}});
  }
}

TEST(Intel, SkylakeHasNoAvx512AndOneSocket) {
  expect_encoded("skylake", kAllCores);
  expect_encoded("skylake", kUntilGoldenCove);
  expect_encoded("skylake", {{kInstrRetired, {0x01c0}},
                             {kPackedSpRetired, {0x08c7, 0x20c7}},
                             {kPackedDpRetired, {0x04c7, 0x10c7}},
                             {kSharedLineHit, {0x04d2}}});
}

TEST(Intel, IceLakeX) {
  expect_encoded("icelake-sp", kAllCores);
  expect_encoded("icelake-sp", kUntilGoldenCove);
  expect_encoded("icelake-sp", {{kInstrRetired, {0x0100}},
                                {kPackedSpRetired, {0x08c7, 0x20c7, 0x80c7}},
                                {kPackedDpRetired, {0x04c7, 0x10c7, 0x40c7}},
                                {kMobLoadReplayRetired, {0x0203, 0x0107}},
                                {kSharedLineHit, {0x04d2, 0x04d3}}});
  expect_encoded("icelake", kAllCores);
}

TEST(Intel, SapphireRapids) {
  expect_encoded("sapphire-rapids", kAllCores);
  expect_encoded("sapphire-rapids", kUntilGoldenCove);
  expect_encoded("sapphire-rapids", kSinceGoldenCove);
  expect_encoded("sapphire-rapids", {{kPackedSpRetired, {0x08c7, 0x20c7, 0x80c7}},
                                     {kPackedDpRetired, {0x04c7, 0x10c7, 0x40c7}},
                                     {kSharedLineHit, {0x04d2, 0x04d3}}});
}

TEST(Intel, GraniteRapids) {
  expect_encoded("granite-rapids", kAllCores);
  expect_encoded("granite-rapids", kSinceGoldenCove);
  expect_encoded("granite-rapids", kSinceRedwoodCove);
  expect_encoded("granite-rapids", {{kMemoryMoves, {0x83d0}},
                                    {kPackedSpRetired, {0x08c7, 0x20c7, 0x80c7}},
                                    {kPackedDpRetired, {0x04c7, 0x10c7, 0x40c7}},
                                    {kSharedLineHit, {0x04d2, 0x04d3}}});
  expect_encoded("granite-rapids", {{kL1StoreMiss, {0xe224}}}, Use::kCount);
}

TEST(Intel, PerformanceCoresOfMeteorLake) {
  expect_performance_cores("meteor-lake", kAllCores);
  expect_performance_cores("meteor-lake", kSinceGoldenCove);
  expect_performance_cores("meteor-lake", kSinceRedwoodCove);
  expect_performance_cores("meteor-lake", {{kMemoryMoves, {0x83d0}},
                                           {kPackedSpRetired, {0x08c7, 0x20c7}},
                                           {kPackedDpRetired, {0x04c7, 0x10c7}},
                                           {kSharedLineHit, {0x04d2}}});
  expect_performance_cores("meteor-lake", {{kL1StoreMiss, {0xe224}}}, Use::kCount);
}

TEST(Intel, LionCoveAndCougarCove) {
  for (const char* cpu : {"arrow-lake", "lunar-lake", "panther-lake"}) {
    expect_performance_cores(cpu, kAllCores);
    expect_performance_cores(cpu, kSinceGoldenCove);
    expect_performance_cores(cpu, kSinceRedwoodCove);
    expect_performance_cores(cpu, {{kMemoryMoves, {0x81d0, 0x82d0}},
                                   {kPackedSpRetired, {0x08c7, 0x20c7}},
                                   {kPackedDpRetired, {0x04c7, 0x10c7}},
                                   {kSharedLineHit, {0x04d2}}});
    expect_performance_cores(cpu, {{kL1StoreMiss, {0x4224, 0x2224}}}, Use::kCount);
    expect_performance_cores(cpu, {{kL1StoreMiss, {0x82d0}}}, Use::kSample);
  }
}

TEST(Intel, AlderLakeHasBothKindsOfCores) {
  expect_encoded("alder-lake", {{kInstrRetired, {0x0100, 0x00c0}},
                                {kUopRetired, {0x02c2, 0x00c2}},
                                {kMemoryLoads, {0x81d0, 0x81d0}},
                                {kMemoryStores, {0x82d0, 0x82d0}},
                                {kMemoryMoves, {0x83d0, 0x81d0, 0x82d0}},
                                {kPackedSpRetired, {0x08c7, 0x20c7}},
                                {kL1CacheMiss, {0x08d1, 0x08d1}},
                                {kL2CacheMiss, {0x10d1, 0x10d1}},
                                {kL3CacheMiss, {0x20d1, 0x20d2}},
                                {kDtlbLoadMiss, {0x11d0, 0x11d0}},
                                {kDtlbStoreMiss, {0x12d0, 0x12d0}},
                                {kDtlbAllMiss, {0x11d0, 0x12d0, 0x13d0}},
                                {kMobLoadReplayRetired, {0x8203, 0x0403, 0x0403}},
                                {kSplitLoadRetired, {0x41d0, 0x41d0}},
                                {kSharedLineHit, {0x04d2, 0x20d1}},
                                {kBranchRetired, {0x00c4, 0x00c4}},
                                {kBranchMispredict, {0x00c5, 0x00c5}},
                                {kClock, {0x003c, 0x003c}}});
  std::vector<Encoding> miss = encoded(kL1CacheMiss, "alder-lake");
  ASSERT_EQ(miss.size(), 2u);
  EXPECT_EQ(miss[0].pmu, "cpu_core");
  EXPECT_EQ(miss[1].pmu, "cpu_atom");
  for (const Encoding& each : miss) EXPECT_FALSE(each.type.has_value()) << each.native;
  EXPECT_THAT(encoded(kPackedSpRetired, "alder-lake").front().note, HasSubstr("performance cores only"));
  EXPECT_THAT(encoded(kX87FpRetired, "alder-lake").front().note, HasSubstr("efficient cores only"));
}

TEST(Intel, AHybridProcessorIsEncodedForTheCoresThatLinuxShows) {
  CpuModel cpu = find_known_cpu("alder-lake")->model;
  cpu.has_cpu_atom = false;
  EXPECT_EQ(encode(kL1CacheMiss, cpu, Use::kSample)->size(), 1u);
  cpu.has_cpu_core = false;
  auto none = encode(kL1CacheMiss, cpu, Use::kSample);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kUnsupported);
  cpu.has_cpu_atom = true;
  EXPECT_EQ(encode(kL1CacheMiss, cpu, Use::kSample)->front().pmu, "cpu_atom");
}

TEST(Intel, WhatASampleTells) {
  Encoding miss = encoded(kL1CacheMiss, "icelake-sp").front();
  EXPECT_EQ(miss.pmu, "cpu");
  EXPECT_EQ(miss.type, PERF_TYPE_RAW);
  EXPECT_EQ(miss.max_precise_ip, 2);
  EXPECT_TRUE(miss.data_address && miss.privilege_filter);
  EXPECT_FALSE(miss.weight || miss.data_source);
  EXPECT_TRUE(miss.keep.keeps_all());
  EXPECT_EQ(miss.native, "MEM_LOAD_RETIRED:L1_MISS");
  EXPECT_EQ(encoded(kInstrRetired, "icelake-sp").front().max_precise_ip, 3);
  Encoding blocked = encoded(kMobLoadReplayRetired, "icelake-sp").front();
  EXPECT_EQ(blocked.max_precise_ip, 0);
  EXPECT_FALSE(blocked.data_address);
}

TEST(Intel, StoreMissesAreCountedAsRequestsAndSampledAsStores) {
  for (const char* cpu : {"skylake-sp", "icelake-sp", "sapphire-rapids"}) {
    expect_encoded(cpu, {{kL1StoreMiss, {0xe224}}}, Use::kCount);
    expect_encoded(cpu, {{kL1StoreMiss, {0x82d0}}}, Use::kSample);
  }
  Encoding sampled = encoded(kL1StoreMiss, "icelake-sp").front();
  EXPECT_EQ(sampled.keep, (SampleFilter{.loads = false, .others = false, .missed_cache_level = 1}));
  EXPECT_EQ(sampled.period_unit, PeriodUnit::kOperations);
  EXPECT_TRUE(sampled.precise && sampled.data_source);
}

TEST(Intel, WhatIsNotToBeHadSaysWhyAndWhatIsNearest) {
  for (EventId id : {kMmx64Retired, kX87FpRetired, kX87SimdMemoryMovesRetired, kSplitLoadMiss,
                     kSplitStoreMiss, kSplitFetchMiss}) {
    EXPECT_THAT(documented::refusal(id, "skylake-sp"), HasSubstr("the nearest is"));
  }
}

}  // namespace
}  // namespace hm::event
