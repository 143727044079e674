// SPDX-License-Identifier: MIT
// Data sources as drivers write them: Linux, arch/x86/events/amd/ibs.c (before and since 6.7) and
// include/uapi/linux/perf_event.h.
#include "event/hardware/sample_filter.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

namespace hm::event {
namespace {

constexpr SampleFilter kLoadsOnly{.stores = false, .others = false};

SampleFilter load_missed(uint8_t level) {
  SampleFilter filter = kLoadsOnly;
  filter.missed_cache_level = level;
  return filter;
}

uint64_t load_from(uint64_t level, uint64_t number = 0) {
  perf_mem_data_src source{};
  source.mem_op = PERF_MEM_OP_LOAD;
  source.mem_lvl = level & 0x3fff;
  source.mem_lvl_num = number & 0xf;
  return source.val;
}

TEST(SampleFilter, EverythingIsKeptUnlessAsked) {
  EXPECT_TRUE(SampleFilter{}.keeps_all());
  EXPECT_TRUE(keeps(SampleFilter{}, 0));
  EXPECT_FALSE(keeps(kLoadsOnly, 0));
  EXPECT_TRUE(keeps(kLoadsOnly, PERF_MEM_OP_LOAD));
  EXPECT_FALSE(keeps(kLoadsOnly, PERF_MEM_OP_STORE));
  EXPECT_TRUE(keeps({.loads = false, .others = false}, PERF_MEM_OP_STORE));
}

TEST(SampleFilter, MissesOfALevelAreWhatCameFromBeyond) {
  struct Case {
    uint64_t source;
    bool missed_l1, missed_l2, missed_l3;
  };
  const Case cases[] = {
      {load_from(PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT), false, false, false},
      {load_from(PERF_MEM_LVL_L2 | PERF_MEM_LVL_HIT), true, false, false},
      {load_from(PERF_MEM_LVL_L3 | PERF_MEM_LVL_HIT), true, true, false},
      {load_from(PERF_MEM_LVL_L3 | PERF_MEM_LVL_MISS), true, true, true},
      {load_from(PERF_MEM_LVL_LOC_RAM | PERF_MEM_LVL_HIT), true, true, true},
      {load_from(PERF_MEM_LVL_REM_CCE1 | PERF_MEM_LVL_HIT), true, true, true},
      {load_from(PERF_MEM_LVL_LFB | PERF_MEM_LVL_HIT), false, false, false},
      {load_from(PERF_MEM_LVL_NA), true, true, false},
      {load_from(PERF_MEM_LVL_NA, PERF_MEM_LVLNUM_NA), true, true, false},
      {load_from(PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT, PERF_MEM_LVLNUM_NA), false, false, false},
      {load_from(PERF_MEM_LVL_L1 | PERF_MEM_LVL_MISS, PERF_MEM_LVLNUM_NA), true, false, false},
      {load_from(0, PERF_MEM_LVLNUM_L1), false, false, false},
      {load_from(0, PERF_MEM_LVLNUM_L3), true, true, false},
      {load_from(0, PERF_MEM_LVLNUM_RAM), true, true, true},
      {load_from(0, PERF_MEM_LVLNUM_LFB), false, false, false},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(keeps(load_missed(1), each.source), each.missed_l1) << std::hex << each.source;
    EXPECT_EQ(keeps(load_missed(2), each.source), each.missed_l2) << std::hex << each.source;
    EXPECT_EQ(keeps(load_missed(3), each.source), each.missed_l3) << std::hex << each.source;
  }
}

TEST(SampleFilter, TheFirstLevelTlbIsMissedWhereTheSecondHadIt) {
  SampleFilter filter = kLoadsOnly;
  filter.missed_tlb = true;
  perf_mem_data_src source{};
  source.mem_op = PERF_MEM_OP_LOAD;
  for (auto [tlb, missed] : {std::pair{PERF_MEM_TLB_L1 | PERF_MEM_TLB_HIT, false},
                             {PERF_MEM_TLB_L2 | PERF_MEM_TLB_HIT, true},
                             {PERF_MEM_TLB_L2 | PERF_MEM_TLB_MISS, true},
                             {PERF_MEM_TLB_L1 | PERF_MEM_TLB_L2 | PERF_MEM_TLB_HIT, false},
                             {PERF_MEM_TLB_NA, false}}) {
    source.mem_dtlb = static_cast<uint64_t>(tlb) & 0x7f;
    EXPECT_EQ(keeps(filter, source.val), missed) << tlb;
  }
}

TEST(SampleFilter, AnotherCoresModifiedLine) {
  SampleFilter filter = kLoadsOnly;
  filter.modified_elsewhere = true;
  perf_mem_data_src source{};
  source.mem_op = PERF_MEM_OP_LOAD;
  EXPECT_FALSE(keeps(filter, source.val));
  source.mem_snoop = PERF_MEM_SNOOP_HITM;
  EXPECT_TRUE(keeps(filter, source.val));
}

}  // namespace
}  // namespace hm::event
