// SPDX-License-Identifier: MIT
// Each sample's data source and its cost: the counts per level equal those of tests/programs/cache.S, at the
// stated cost.
#include <gtest/gtest.h>

#include "measuring.h"

namespace hm::soft_pmu_test {
namespace {

const Words kCaches = {"--cpu", "zen4", "--l1i", "32K,8", "--l1d", "4K,4", "--l2", "16K,4", "--l3", "64K,4"};

// zen4's assumptions.
uint64_t cycles_of_level(const Sample& sample) {
  switch (sample.source.mem_lvl_num) {
    case PERF_MEM_LVLNUM_L1:
      return 4;
    case PERF_MEM_LVLNUM_L2:
      return 14;
    case PERF_MEM_LVLNUM_L3:
      return 50;
    case PERF_MEM_LVLNUM_RAM:
      return 250;
    default:
      return ~uint64_t{0};
  }
}

uint64_t cycles_of_translation(const Sample& sample) {
  switch (sample.source.mem_dtlb) {
    case PERF_MEM_TLB_L1 | PERF_MEM_TLB_HIT:
      return 0;
    case PERF_MEM_TLB_L2 | PERF_MEM_TLB_HIT:
      return 7;
    case PERF_MEM_TLB_L2 | PERF_MEM_TLB_MISS:
      return 30;
    default:
      return ~uint64_t{0};
  }
}

std::vector<Sample> all_of(const std::string& event, const Words& machine, const std::string& name) {
  return record(Words{"--no-jitter", "-c", "1", "-e", event} + machine, {program(name)}).of(event);
}

TEST(Costs, OfEachLevelAreItsOwnAndAsOftenAsItIsMissed) {
  std::map<uint64_t, uint64_t> from;
  for (const Sample& sample : all_of("l1_cache_miss", kCaches, "cache")) {
    ++from[sample.source.mem_lvl_num];
    ASSERT_EQ(sample.weight, cycles_of_level(sample) + cycles_of_translation(sample));
  }
  // cache.S: 10528 loads miss the first level, 9376 the second, 4768 the third.
  EXPECT_EQ(from[PERF_MEM_LVLNUM_L2], 10528u - 9376u);
  EXPECT_EQ(from[PERF_MEM_LVLNUM_L3], 9376u - 4768u);
  EXPECT_EQ(from[PERF_MEM_LVLNUM_RAM], 4768u);
}

// Loads touch 48 pages. The second TLB holds all of them (128 sets of 24) after their first use.
TEST(Costs, OfTranslationsAreTheSecondTlbsOrAWalks) {
  std::map<uint64_t, uint64_t> by;
  for (const Sample& sample : all_of("dtlb_load_miss", {"--cpu", "zen4", "--dtlb", "16,4"}, "tlb")) {
    ++by[sample.source.mem_dtlb];
    ASSERT_EQ(sample.weight, cycles_of_level(sample) + cycles_of_translation(sample));
  }
  EXPECT_EQ(by[PERF_MEM_TLB_L2 | PERF_MEM_TLB_MISS], 48u);
  EXPECT_EQ(by[PERF_MEM_TLB_L2 | PERF_MEM_TLB_HIT], 336u - 48u);
}

// The thread's own time advances from sample to sample, by at least the wait of the access.
TEST(Costs, PassOnTheThreadsOwnClock) {
  uint64_t before = 0;
  for (const Sample& sample : all_of("l1_cache_miss", kCaches, "cache")) {
    ASSERT_GE(sample.run_cycles, before + sample.weight - 4);
    before = sample.run_cycles;
  }
  EXPECT_LE(before, count(kCaches, {program("cache")})["cycles"]);
}

}  // namespace
}  // namespace hm::soft_pmu_test
