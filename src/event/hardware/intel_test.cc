// SPDX-License-Identifier: MIT
// Expected values: Intel's event lists (github.com/intel/perfmon: SKX, ICX, SPR, ADL), event code and umask
// as umask << 8 | code, and what FRONTEND_RETIRED wants in MSR_PEBS_FRONTEND (3F7H) in config1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include "event/event_template.h"
#include "event/hardware/encoding.h"
#include "event/hardware/known_cpus.h"

namespace hm::event {
namespace {

using enum EventId;
using ::testing::HasSubstr;

struct Documented {
  EventId id;
  std::vector<uint64_t> configs;  // one each encoding, in order
  uint64_t config1 = 0;
};

std::vector<Encoding> encoded(EventId id, const char* cpu) {
  const KnownCpu* known = find_known_cpu(cpu);
  EXPECT_NE(known, nullptr) << cpu;
  if (known == nullptr) return {};
  auto encodings = encode(id, known->model, Use::kSample);
  EXPECT_TRUE(encodings.ok()) << cpu << ": " << (encodings ? "" : encodings.error().message);
  return encodings ? *encodings : std::vector<Encoding>{};
}

void expect_documented(const char* cpu, const std::vector<Documented>& events) {
  for (const Documented& event : events) {
    std::vector<Encoding> encodings = encoded(event.id, cpu);
    std::vector<uint64_t> configs;
    for (const Encoding& each : encodings) {
      configs.push_back(each.config);
      EXPECT_EQ(each.config1, event.config1) << cpu << ' ' << each.native;
    }
    EXPECT_EQ(configs, event.configs) << cpu << ' ' << event_template(event.id).name;
  }
}

// The same since Skylake.
const std::vector<Documented> kAllCores = {
    {kMemoryLoads, {0x81d0}},      {kMemoryStores, {0x82d0}},     {kMemoryMoves, {0x83d0}},
    {kScalarSpRetired, {0x02c7}},  {kScalarDpRetired, {0x01c7}},  {kL1CacheMiss, {0x08d1}},
    {kL2CacheMiss, {0x10d1}},      {kL3CacheMiss, {0x20d1}},      {kL1StoreMiss, {0xe224}},
    {kDtlbLoadMiss, {0x11d0}},     {kDtlbStoreMiss, {0x12d0}},    {kDtlbAllMiss, {0x11d0, 0x12d0}},
    {kSplitLoadRetired, {0x41d0}}, {kICacheMiss, {0x01c6}, 0x12}, {kItlbMiss, {0x01c6}, 0x14},
    {kBranchRetired, {0x00c4}},    {kBranchMispredict, {0x00c5}}, {kClock, {0x003c}},
    {kUopRetired, {0x02c2}},
};

TEST(Intel, SkylakeX) {
  for (const char* cpu : {"skylake-x", "cascadelake-x"}) {
    expect_documented(cpu, kAllCores);
    expect_documented(cpu, {{kInstrRetired, {0x01c0}},
                            {kPackedSpRetired, {0x08c7, 0x20c7, 0x80c7}},
                            {kPackedDpRetired, {0x04c7, 0x10c7, 0x40c7}},
                            {kMobLoadReplayRetired, {0x0203, 0x0107}},
                            {kSharedLineHit, {0x04d2, 0x04d3}}});
  }
}

TEST(Intel, SkylakeHasNoAvx512AndOneSocket) {
  expect_documented("skylake", kAllCores);
  expect_documented("skylake", {{kInstrRetired, {0x01c0}},
                                {kPackedSpRetired, {0x08c7, 0x20c7}},
                                {kPackedDpRetired, {0x04c7, 0x10c7}},
                                {kSharedLineHit, {0x04d2}}});
}

TEST(Intel, IceLakeX) {
  expect_documented("icelake-x", kAllCores);
  expect_documented("icelake-x", {{kInstrRetired, {0x0100}},
                                  {kPackedSpRetired, {0x08c7, 0x20c7, 0x80c7}},
                                  {kPackedDpRetired, {0x04c7, 0x10c7, 0x40c7}},
                                  {kMobLoadReplayRetired, {0x0203, 0x0107}},
                                  {kSharedLineHit, {0x04d2, 0x04d3}}});
  expect_documented("icelake", kAllCores);
}

TEST(Intel, SapphireRapids) {
  expect_documented("sapphirerapids", kAllCores);
  expect_documented("sapphirerapids", {{kInstrRetired, {0x0100}},
                                       {kPackedSpRetired, {0x08c7, 0x20c7, 0x80c7}},
                                       {kPackedDpRetired, {0x04c7, 0x10c7, 0x40c7}},
                                       {kSimd128Retired, {0x13e7, 0xace7}},
                                       {kMobLoadReplayRetired, {0x8203, 0x0403}},
                                       {kSharedLineHit, {0x04d2, 0x04d3}}});
}

TEST(Intel, AlderLakeHasBothKindsOfCores) {
  expect_documented("alderlake", {{kInstrRetired, {0x0100, 0x00c0}},
                                  {kUopRetired, {0x02c2, 0x00c2}},
                                  {kMemoryLoads, {0x81d0, 0x81d0}},
                                  {kMemoryStores, {0x82d0, 0x82d0}},
                                  {kMemoryMoves, {0x83d0, 0x81d0, 0x82d0}},
                                  {kPackedSpRetired, {0x08c7, 0x20c7}},
                                  {kL1CacheMiss, {0x08d1, 0x02d1, 0x04d1, 0x80d1}},
                                  {kL2CacheMiss, {0x10d1, 0x04d1, 0x80d1}},
                                  {kL3CacheMiss, {0x20d1, 0x80d1}},
                                  {kDtlbLoadMiss, {0x11d0, 0x0e08}},
                                  {kDtlbStoreMiss, {0x12d0, 0x0e49}},
                                  {kMobLoadReplayRetired, {0x8203, 0x0403, 0x0403}},
                                  {kSplitLoadRetired, {0x41d0, 0x41d0}},
                                  {kSharedLineHit, {0x04d2}},
                                  {kBranchRetired, {0x00c4, 0x00c4}},
                                  {kBranchMispredict, {0x00c5, 0x00c5}},
                                  {kClock, {0x003c, 0x003c}}});
  std::vector<Encoding> miss = encoded(kL1CacheMiss, "alderlake");
  ASSERT_EQ(miss.size(), 4u);
  EXPECT_EQ(miss[0].pmu, "cpu_core");
  EXPECT_EQ(miss[1].pmu, "cpu_atom");
  for (const Encoding& each : miss) EXPECT_FALSE(each.type.has_value()) << each.native;
  EXPECT_THAT(encoded(kPackedSpRetired, "alderlake").front().note, HasSubstr("performance cores only"));
}

TEST(Intel, AHybridProcessorIsEncodedForTheCoresThatLinuxShows) {
  CpuModel cpu = find_known_cpu("alderlake")->model;
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
  Encoding miss = encoded(kL1CacheMiss, "icelake-x").front();
  EXPECT_EQ(miss.pmu, "cpu");
  EXPECT_EQ(miss.type, PERF_TYPE_RAW);
  EXPECT_EQ(miss.max_precise_ip, 2);
  EXPECT_TRUE(miss.data_address && miss.weight && miss.data_source && miss.privilege_filter);
  EXPECT_TRUE(miss.keep.keeps_all());
  EXPECT_EQ(miss.native, "MEM_LOAD_RETIRED:L1_MISS");
  EXPECT_EQ(encoded(kInstrRetired, "icelake-x").front().max_precise_ip, 3);
  Encoding blocked = encoded(kMobLoadReplayRetired, "icelake-x").front();
  EXPECT_EQ(blocked.max_precise_ip, 0);
  EXPECT_FALSE(blocked.data_address);
}

TEST(Intel, WhatIsNotToBeHadSaysWhyAndWhatIsNearest) {
  for (EventId id : {kMmx64Retired, kX87FpRetired, kX87SimdMemoryMovesRetired, kSplitLoadMiss,
                     kSplitStoreMiss, kSplitFetchMiss}) {
    auto encodings = encode(id, find_known_cpu("skylake-x")->model, Use::kSample);
    ASSERT_FALSE(encodings.ok()) << event_template(id).name;
    EXPECT_EQ(encodings.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(encodings.error().message, HasSubstr("the nearest is"));
  }
}

}  // namespace
}  // namespace hm::event
