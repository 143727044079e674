// SPDX-License-Identifier: MIT
#include "profile/data_source.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

namespace hm::profile {
namespace {

// Values recorded for loads on Ivy Bridge-EP.
TEST(DataSource, OfPebsLoadLatency) {
  EXPECT_TRUE(has_access_kind(0x68100142));
  EXPECT_EQ(access_of(0x68100142), "load");
  EXPECT_EQ(level_of(0x68100142), "L1 hit");
  EXPECT_EQ(snoop_of(0x68100142), "none");
  EXPECT_EQ(tlb_of(0x68100142), "L1 or L2 hit");
  EXPECT_EQ(locked_of(0x68100142), "no");
  EXPECT_EQ(level_of(0x68100242), "LFB/MAB hit");
}

TEST(DataSource, ByLevelNumber) {
  perf_mem_data_src source{};
  source.mem_op = PERF_MEM_OP_STORE;
  source.mem_lvl_num = PERF_MEM_LVLNUM_RAM;
  EXPECT_EQ(level_of(source.val), "RAM");
  source.mem_remote = 1;
  source.mem_lvl = PERF_MEM_LVL_HIT;
  EXPECT_EQ(level_of(source.val), "remote RAM hit");
  source.mem_snoopx = PERF_MEM_SNOOPX_PEER;
  EXPECT_EQ(snoop_of(source.val), "peer");
  EXPECT_EQ(access_of(source.val), "store");
}

TEST(DataSource, NothingToldIsNotGuessed) {
  perf_mem_data_src source{};
  source.mem_op = PERF_MEM_OP_NA;
  source.mem_lvl = PERF_MEM_LVL_NA;
  source.mem_snoop = PERF_MEM_SNOOP_NA;
  source.mem_lock = PERF_MEM_LOCK_NA;
  source.mem_dtlb = PERF_MEM_TLB_NA;
  for (uint64_t value : {uint64_t{0}, static_cast<uint64_t>(source.val)}) {
    EXPECT_FALSE(has_access_kind(value));
    EXPECT_EQ(level_of(value), kNotTold);
    EXPECT_EQ(access_of(value), kNotTold);
    EXPECT_EQ(snoop_of(value), kNotTold);
    EXPECT_EQ(tlb_of(value), kNotTold);
  }
  EXPECT_EQ(locked_of(source.val), kNotTold);
}

}  // namespace
}  // namespace hm::profile
