// SPDX-License-Identifier: MIT
#include "event/hardware/sample_filter.h"

#include <linux/perf_event.h>

namespace hm::event {
namespace {

constexpr uint8_t kBeyondCaches = 4;
constexpr uint8_t kNotTold = 0xff;

constexpr uint64_t kAnywhereBeyond = PERF_MEM_LVL_LOC_RAM | PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2 |
                                     PERF_MEM_LVL_REM_CCE1 | PERF_MEM_LVL_REM_CCE2 | PERF_MEM_LVL_IO |
                                     PERF_MEM_LVL_UNC;

// Returns the cache level that had the data: 0 is the line fill buffer, 4 anything beyond the third level.
uint8_t level_from_number(const perf_mem_data_src& source) {
  if (source.mem_lvl_num == PERF_MEM_LVLNUM_LFB) return 0;
  return source.mem_remote != 0 || source.mem_lvl_num > 3 ? kBeyondCaches
                                                          : static_cast<uint8_t>(source.mem_lvl_num);
}

// Kernels before 4.14 only set this older field, and some drivers still do.
uint8_t level_from_bits(const perf_mem_data_src& source) {
  if ((source.mem_lvl & PERF_MEM_LVL_LFB) != 0) return 0;
  if ((source.mem_lvl & kAnywhereBeyond) != 0) return kBeyondCaches;
  bool hit = (source.mem_lvl & PERF_MEM_LVL_HIT) != 0;
  uint8_t not_hit = hit ? 0 : 1;
  if ((source.mem_lvl & PERF_MEM_LVL_L1) != 0) return static_cast<uint8_t>(1 + not_hit);
  if ((source.mem_lvl & PERF_MEM_LVL_L2) != 0) return static_cast<uint8_t>(2 + not_hit);
  if ((source.mem_lvl & PERF_MEM_LVL_L3) != 0) return static_cast<uint8_t>(3 + not_hit);
  return kNotTold;
}

bool missed_cache(uint8_t level, const perf_mem_data_src& source) {
  bool numbered = source.mem_lvl_num != 0 && source.mem_lvl_num != PERF_MEM_LVLNUM_NA;
  uint8_t found = numbered ? level_from_number(source) : level_from_bits(source);
  return found == kNotTold ? level <= 2 : found > level;
}

// A hit has the bit of its level, and a hit in the second level is a miss in the first.
bool missed_first_tlb(const perf_mem_data_src& source) {
  bool first = (source.mem_dtlb & PERF_MEM_TLB_L1) != 0;
  bool second = (source.mem_dtlb & PERF_MEM_TLB_L2) != 0;
  bool miss = (source.mem_dtlb & PERF_MEM_TLB_MISS) != 0;
  return miss || (second && !first);
}

}  // namespace

bool keeps(const SampleFilter& filter, uint64_t data_source) {
  perf_mem_data_src source{};
  source.val = data_source;
  bool load = (source.mem_op & PERF_MEM_OP_LOAD) != 0;
  bool store = (source.mem_op & PERF_MEM_OP_STORE) != 0;
  bool kind = (load && filter.loads) || (store && filter.stores) || (!load && !store && filter.others);
  return kind && (filter.missed_cache_level == 0 || missed_cache(filter.missed_cache_level, source)) &&
         (!filter.missed_tlb || missed_first_tlb(source)) &&
         (!filter.modified_elsewhere || (source.mem_snoop & PERF_MEM_SNOOP_HITM) != 0);
}

}  // namespace hm::event
