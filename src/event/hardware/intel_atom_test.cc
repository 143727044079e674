// SPDX-License-Identifier: MIT
// Expected values: Intel's event lists (github.com/intel/perfmon: ADL, MTL, ARL, LNL, PTL, SRF, GRR, CWF),
// event code and umask as umask << 8 | code; bits 40 to 47 are the second unit mask (Linux, `format/umask`).
#include <gmock/gmock.h>
#include <linux/perf_event.h>

#include "event/hardware/documented.h"

namespace hm::event {
namespace {

using enum EventId;
using documented::encoded;
using documented::expect_encoded;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Events with equal encodings since Gracemont.
const std::vector<documented::Event> kAllCores = {
    {kInstrRetired, {0x00c0}},  {kMemoryLoads, {0x81d0}},
    {kMemoryStores, {0x82d0}},  {kMemoryMoves, {0x81d0, 0x82d0}},
    {kDtlbLoadMiss, {0x11d0}},  {kDtlbStoreMiss, {0x12d0}},
    {kDtlbAllMiss, {0x13d0}},   {kSplitLoadRetired, {0x41d0}},
    {kICacheMiss, {0x0280}},    {kItlbMiss, {0x0e85}},
    {kBranchRetired, {0x00c4}}, {kBranchMispredict, {0x00c5}},
    {kClock, {0x003c}},
};

// Events with equal encodings since Crestmont.
const std::vector<documented::Event> kSinceCrestmont = {
    {kScalarSpRetired, {0x01c7}}, {kScalarDpRetired, {0x02c7}},
    {kL1CacheMiss, {0x40d1}},     {kMobLoadReplayRetired, {0x0203, 0x0403}},
    {kL2CacheMiss, {0x80d1}},     {kPackedDpRetired, {0x08c7, 0x20c7}},
};

TEST(IntelAtom, Gracemont) {
  expect_encoded("alder-lake-n", kAllCores);
  expect_encoded("alder-lake-n", {{kUopRetired, {0x00c2}},
                                  {kX87FpRetired, {0x02c2}},
                                  {kL1CacheMiss, {0x08d1}},
                                  {kL2CacheMiss, {0x10d1}},
                                  {kL3CacheMiss, {0x20d2}},
                                  {kSharedLineHit, {0x20d1}}});
}

TEST(IntelAtom, Crestmont) {
  for (const char* cpu : {"sierra-forest", "grand-ridge"}) {
    expect_encoded(cpu, kAllCores);
    expect_encoded(cpu, kSinceCrestmont);
    expect_encoded(cpu, {{kUopRetired, {0x00c2}},
                         {kX87FpRetired, {0x02c2}},
                         {kPackedSpRetired, {0x04c7}},
                         {kL3CacheMiss, {0xffd3}}});
  }
  expect_encoded("sierra-forest", {{kSharedLineHit, {0x08d4, 0x08d3}}});
  EXPECT_THAT(documented::refusal(kSharedLineHit, "grand-ridge"), HasSubstr("the nearest is l2_cache_miss"));
}

TEST(IntelAtom, Darkmont) {
  expect_encoded("clearwater-forest", kAllCores);
  expect_encoded("clearwater-forest", kSinceCrestmont);
  expect_encoded("clearwater-forest", {{kUopRetired, {0x02c2}},
                                       {kX87FpRetired, {0x100'0000'00c2}},
                                       {kPackedSpRetired, {0x04c7, 0x10c7}},
                                       {kL3CacheMiss, {0xffd3}},
                                       {kSharedLineHit, {0x08d4, 0x08d3}}});
}

TEST(IntelAtom, SamplesHaveTheContentsThatTheListsPromise) {
  Encoding load = encoded(kMemoryLoads, "sierra-forest").front();
  EXPECT_EQ(load.pmu, "cpu");
  EXPECT_EQ(load.type, PERF_TYPE_RAW);
  EXPECT_TRUE(load.precise && load.data_address);
  Encoding miss = encoded(kL1CacheMiss, "sierra-forest").front();
  EXPECT_TRUE(miss.precise);
  EXPECT_EQ(miss.max_precise_ip, 2);
  EXPECT_FALSE(miss.data_address);
  EXPECT_FALSE(encoded(kMemoryLoads, "clearwater-forest").front().data_address);
}

std::vector<uint64_t> configs_on(std::string_view pmu, EventId id, const CpuModel& cpu) {
  std::vector<uint64_t> configs;
  auto encodings = encode(id, cpu, Use::kSample);
  EXPECT_TRUE(encodings.ok()) << (encodings ? "" : encodings.error().message);
  if (!encodings) return configs;
  for (const Encoding& each : *encodings) {
    if (each.pmu == pmu) configs.push_back(each.config);
  }
  return configs;
}

TEST(IntelAtom, HybridProcessors) {
  CpuModel meteor_lake = find_known_cpu("meteor-lake")->model;
  CpuModel arrow_lake = find_known_cpu("arrow-lake")->model;
  CpuModel lunar_lake = find_known_cpu("lunar-lake")->model;
  CpuModel panther_lake = find_known_cpu("panther-lake")->model;
  for (const CpuModel& cpu : {meteor_lake, arrow_lake, lunar_lake, panther_lake}) {
    for (const std::vector<documented::Event>& events : {kAllCores, kSinceCrestmont}) {
      for (const documented::Event& event : events) {
        EXPECT_EQ(configs_on("cpu_atom", event.id, cpu), event.configs) << event_template(event.id).name;
      }
    }
    EXPECT_THAT(configs_on("cpu_atom", kUopRetired, cpu), ElementsAre(0x00c2));
  }
  EXPECT_THAT(configs_on("cpu_atom", kX87FpRetired, meteor_lake), ElementsAre(0x02c2));
  EXPECT_THAT(configs_on("cpu_atom", kX87FpRetired, arrow_lake), ElementsAre(0x20c2));
  EXPECT_THAT(configs_on("cpu_atom", kX87FpRetired, lunar_lake), ElementsAre(0x20c2));
  EXPECT_THAT(configs_on("cpu_atom", kX87FpRetired, panther_lake), ElementsAre(0x100'0000'00c2));
  EXPECT_THAT(configs_on("cpu_atom", kL3CacheMiss, meteor_lake), ElementsAre(0x02d4));
  EXPECT_THAT(configs_on("cpu_atom", kL3CacheMiss, arrow_lake), ElementsAre());
  EXPECT_THAT(configs_on("cpu_atom", kL3CacheMiss, lunar_lake), ElementsAre(0x01d3, 0x40d3));
  EXPECT_THAT(configs_on("cpu_atom", kL3CacheMiss, panther_lake), ElementsAre(0xffd3));
  EXPECT_THAT(configs_on("cpu_atom", kSharedLineHit, meteor_lake), ElementsAre(0x08d4));
  EXPECT_THAT(configs_on("cpu_atom", kSharedLineHit, arrow_lake), ElementsAre(0x08d4));
  EXPECT_THAT(configs_on("cpu_atom", kSharedLineHit, lunar_lake), ElementsAre());
  EXPECT_THAT(configs_on("cpu_atom", kSharedLineHit, panther_lake), ElementsAre(0x08d4));
}

TEST(IntelAtom, TheLowPowerIslandOfArrowLake) {
  CpuModel cpu{Vendor::kIntel, 6, 0xc5, 0, true, true, true};
  EXPECT_THAT(configs_on("cpu_lowpower", kL1CacheMiss, cpu), ElementsAre(0x40d1));
  EXPECT_THAT(configs_on("cpu_lowpower", kX87FpRetired, cpu), ElementsAre(0x02c2));
  EXPECT_THAT(configs_on("cpu_lowpower", kL3CacheMiss, cpu), ElementsAre(0x02d4));
  EXPECT_THAT(encode(kL3CacheMiss, cpu, Use::kSample)->front().note,
              HasSubstr("on the performance and low-power cores only"));
  EXPECT_THAT(configs_on("cpu_lowpower", kSharedLineHit, cpu), ElementsAre());
  EXPECT_EQ(encode(kClock, cpu, Use::kSample)->size(), 3u);
}

}  // namespace
}  // namespace hm::event
