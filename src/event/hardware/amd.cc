// SPDX-License-Identifier: MIT
// AMD's Zen 2 to 6: the core's counters. Names and numbers are from libpfm4, the definitions from the
// Processor Programming References, "Performance monitor counters". libpfm4 (4.13) ends at Zen 4. AMD's
// tables of Zen 4 to 6 in Linux (tools/perf/pmu-events/arch/x86, amdzen4 to amdzen6) have the same numbers,
// and those of the rows with a code: unit mask << 8 | event, bits 8 to 11 of the event at bit 32.
#include <linux/perf_event.h>

#include "event/hardware/event_row.h"
#include "event/hardware/families.h"

namespace hm::event {
namespace {

using enum EventId;
using enum Sampling;

constexpr std::string_view kDispatched = "counted when dispatched, also on wrong paths";
constexpr std::string_view kDemandFills =
    "lines filled, for loads and stores alike; prefetches are not counted";
constexpr std::string_view kNoPrecision =
    "no event distinguishes floating-point instructions by precision; the nearest is RETIRED_SSE_AVX_FLOPS, which counts operations of both";
constexpr std::string_view kLoadsAndStores =
    "the counters do not distinguish loads from stores; sampling with IBS does, and dtlb_all_miss counts both";
constexpr std::string_view kReloads = "counted when the first level is reloaded, also on wrong paths";

constexpr EventRow kCommon[] = {
    {kInstrRetired, "RETIRED_INSTRUCTIONS", kSkids, kRepeatedString},
    {kUopRetired, "RETIRED_OPS", kSkids, "macro-operations"},
    {kMemoryLoads, "LS_DISPATCH:LD_DISPATCH:LD_ST_DISPATCH", kSkids, kDispatched},
    {kMemoryStores, "LS_DISPATCH:STORE_DISPATCH:LD_ST_DISPATCH", kSkids, kDispatched},
    {kMemoryMoves, "LS_DISPATCH:LD_DISPATCH:STORE_DISPATCH:LD_ST_DISPATCH", kSkids, kDispatched},
    {kPackedSpRetired, "", kSkids, kNoPrecision},
    {kPackedDpRetired, "", kSkids, kNoPrecision},
    {kScalarSpRetired, "", kSkids, kNoPrecision},
    {kScalarDpRetired, "", kSkids, kNoPrecision},
    {kMmx64Retired, "RETIRED_MMX_FP_INSTRUCTIONS:MMX_INSTR", kSkids, "moves too"},
    {kSimd128Retired, "", kSkids,
     "no event distinguishes integer SIMD instructions from floating-point ones; the nearest is RETIRED_MMX_FP_INSTRUCTIONS:SSE_INSTR, which counts both"},
    {kX87FpRetired, "RETIRED_MMX_FP_INSTRUCTIONS:X87_INSTR", kSkids, "loads, stores and moves too"},
    {kX87SimdMemoryMovesRetired, "", kSkids, kNoMoves},
    {kL1CacheMiss,
     "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:LCL_L2:INT_CACHE:EXT_CACHE_LCL:MEM_IO_LCL:EXT_CACHE_RMT:MEM_IO_RMT",
     kSkids, kDemandFills},
    {kL2CacheMiss,
     "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:INT_CACHE:EXT_CACHE_LCL:MEM_IO_LCL:EXT_CACHE_RMT:MEM_IO_RMT",
     kSkids, kDemandFills},
    {kL3CacheMiss, "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:EXT_CACHE_LCL:MEM_IO_LCL:EXT_CACHE_RMT:MEM_IO_RMT",
     kSkids, kDemandFills},
    {kL1StoreMiss, "", kSkids,
     "the counters do not distinguish loads from stores; sampling with IBS does, and l1_cache_miss counts both"},
    {kDtlbLoadMiss, "", kSkids, kLoadsAndStores},
    {kDtlbStoreMiss, "", kSkids, kLoadsAndStores},
    {kDtlbAllMiss,
     "L1_DTLB_MISS:TLB_RELOAD_4K_L2_HIT:TLB_RELOAD_COALESCED_PAGE_HIT:TLB_RELOAD_2M_L2_HIT:"
     "TLB_RELOAD_1G_L2_HIT:TLB_RELOAD_4K_L2_MISS:TLB_RELOAD_COALESCED_PAGE_MISS:"
     "TLB_RELOAD_2M_L2_MISS:TLB_RELOAD_1G_L2_MISS",
     kSkids, kReloads},
    {kMobLoadReplayRetired, "BAD_STATUS_2:STLI_OTHER", kSkids,
     "loads that could not forward from an older store they overlap, also on wrong paths"},
    {kSplitLoadRetired, "MISALIGNED_LOADS:MA64", kSkids, ""},
    {kSplitLoadMiss, "", kSkids, kNoSplitLoadMiss},
    {kSplitStoreMiss, "", kSkids, kNoSplitStoreMiss},
    {kSharedLineHit, "", kSkids,
     "the counters do not distinguish modified lines of other cores from clean ones; sampling with IBS does"},
    {kICacheMiss, "IC_TAG_HIT_MISS:IC_MISS", kSkids,
     "fetches, also on wrong paths; those of the op cache are not seen"},
    {kSplitFetchMiss, "", kSkids, kNoSplitFetch},
    {kItlbMiss, "L1_ITLB_MISS_L2_ITLB_HIT", kSkids, kFetches},
    {kItlbMiss, "L1_ITLB_MISS_L2_ITLB_MISS:IF4K:IF2M:IF1G:COALESCED4K", kSkids, kFetches},
    {kBranchRetired, "RETIRED_BRANCH_INSTRUCTIONS", kSkids, kFarBranches},
    {kBranchMispredict, "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", kSkids, kThatRetired},
    {kClock, "CYCLES_NOT_IN_HALT", kSkids, kCoreCycles},
};

constexpr std::string_view kRefills = "lines filled, prefetched ones too";

constexpr EventRow kZen2Rows[] = {
    {kUopRetired, "RETIRED_UOPS", kSkids, "macro-operations"},
    {kL1CacheMiss,
     "DATA_CACHE_REFILLS_FROM_SYSTEM:MABRESP_LCL_L2:LS_MABRESP_LCL_CACHE:LS_MABRESP_LCL_DRAM:"
     "LS_MABRESP_RMT_CACHE:LS_MABRESP_RMT_DRAM",
     kSkids, kDemandFills},
    {kL2CacheMiss,
     "DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_LCL_CACHE:LS_MABRESP_LCL_DRAM:LS_MABRESP_RMT_CACHE:"
     "LS_MABRESP_RMT_DRAM",
     kSkids, kDemandFills},
    {kL3CacheMiss, "DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_LCL_DRAM:LS_MABRESP_RMT_DRAM", kSkids,
     "lines filled from memory, for loads and stores alike; lines from other caches cannot be distinguished from the third level's"},
    {kSplitLoadRetired, "", kSkids,
     "no event distinguishes the boundary that a load crossed; the nearest is MISALIGNED_LOADS"},
    {kICacheMiss, "INSTRUCTION_CACHE_REFILLS_FROM_L2", kSkids, kRefills},
    {kICacheMiss, "INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM", kSkids, kRefills},
    {kItlbMiss, "L1_ITLB_MISS_L2_ITLB_HIT", kSkids, kFetches},
    {kItlbMiss, "L1_ITLB_MISS_L2_ITLB_MISS:IF4K:IF2M:IF1G", kSkids, kFetches},
};

constexpr EventRow kZen4Rows[] = {
    {kL1CacheMiss,
     "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:LCL_L2:LOCAL_CCX:NEAR_CACHE_NEAR_FAR:DRAM_IO_NEAR:"
     "FAR_CACHE_NEAR_FAR:DRAM_IO_FAR:ALT_MEM_NEAR_FAR",
     kSkids, kDemandFills},
    {kL2CacheMiss,
     "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:LOCAL_CCX:NEAR_CACHE_NEAR_FAR:DRAM_IO_NEAR:FAR_CACHE_NEAR_FAR:"
     "DRAM_IO_FAR:ALT_MEM_NEAR_FAR",
     kSkids, kDemandFills},
    {kL3CacheMiss,
     "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:NEAR_CACHE_NEAR_FAR:DRAM_IO_NEAR:FAR_CACHE_NEAR_FAR:DRAM_IO_FAR:"
     "ALT_MEM_NEAR_FAR",
     kSkids, kDemandFills},
    {kSimd128Retired, "SSE_AVX_OPS_RETIRED:SSE_AVX_ALL", kSkids, "macro-operations of all widths, moves too",
     0xf00b},
};

constexpr std::string_view kFlops =
    "no event counts floating-point instructions by precision; the nearest is RETIRED_SSE_AVX_FLOPS, which counts operations by width and precision";

constexpr EventRow kZen5Rows[] = {
    {kPackedSpRetired, "", kSkids, kFlops},
    {kPackedDpRetired, "", kSkids, kFlops},
    {kScalarSpRetired, "", kSkids, kFlops},
    {kScalarDpRetired, "", kSkids, kFlops},
};

constexpr EventRow kZen6Rows[] = {
    {kMmx64Retired, "FP_SSE_AVX_OPS_RET:MMX_ALL", kSkids, "micro-operations, moves too", 0x0f0b},
    {kSimd128Retired, "FP_SSE_AVX_OPS_RET:SSE_AVX_ALL", kSkids, "micro-operations of all widths, moves too",
     0xf00b},
    {kX87FpRetired, "FP_RET_X87_FP_OPS:ALL", kSkids,
     "micro-operations that add, subtract, multiply, divide or extract a square root", 0x0702},
    {kICacheMiss, "IC_FILLS_FROM_SYS:ALL", kSkids, kRefills, 0x2'0000'df9c},
};

struct Core {
  std::string_view pfm_tables;
  std::vector<EventTable> rows;
};

Core core_of(Generation generation) {
  switch (generation) {
    case Generation::kZen2:
      return {"amd64_fam17h_zen2", {kZen2Rows, kCommon}};
    case Generation::kZen3:
      return {"amd64_fam19h_zen3", {kCommon}};
    case Generation::kZen5:
      return {"amd64_fam19h_zen4", {kZen5Rows, kZen4Rows, kCommon}};
    case Generation::kZen6:
      return {"amd64_fam19h_zen4", {kZen6Rows, kZen5Rows, kZen4Rows, kCommon}};
    default:
      return {"amd64_fam19h_zen4", {kZen4Rows, kCommon}};
  }
}

}  // namespace

Result<std::vector<Encoding>> encode_zen(EventId id, const KnownCpu& known, Use use) {
  if (use == Use::kSample) {
    if (std::optional<Encoding> sampled = encode_ibs(id, known)) return std::vector{*std::move(sampled)};
  }
  Core core = core_of(known.generation);
  return encode_rows(find_rows(core.rows, id), known.title, [&](const EventRow& row) -> Result<Encoding> {
    Result<Encoding> encoding = encoding_of(row, core.pfm_tables);
    if (!encoding) return encoding;
    encoding->pmu = "cpu";
    encoding->type = PERF_TYPE_RAW;
    // Last Branch Record, version 2: the first that records all kinds of branches.
    encoding->branch_stack = is_zen4_or_later(known.generation);
    return encoding;
  });
}

}  // namespace hm::event
