// SPDX-License-Identifier: MIT
// Intel's efficient cores: Gracemont, Crestmont, Skymont and Darkmont. libpfm4 (4.13) has no tables of them.
// The numbers are those of Intel's event lists (github.com/intel/perfmon: ADL, MTL, ARL, LNL, PTL, SRF, GRR,
// CWF), as umask << 8 | event.
#include "event/hardware/event_row.h"
#include "event/hardware/families.h"

namespace hm::event {
namespace {

using enum EventId;
using enum Sampling;

constexpr std::string_view kNoFloatingPoint =
    "no event distinguishes floating-point instructions by width or precision; the nearest is uop_retired";

// Gracemont.
constexpr EventRow kRows[] = {
    {kInstrRetired, "INST_RETIRED.ANY_P", kPrecise, kRepeatedString, 0x00c0},
    {kUopRetired, "UOPS_RETIRED.ALL", kPrecise, "", 0x00c2},
    {kMemoryLoads, "MEM_UOPS_RETIRED.ALL_LOADS", kAccess, kMicroOperations, 0x81d0},
    {kMemoryStores, "MEM_UOPS_RETIRED.ALL_STORES", kAccess, kMicroOperations, 0x82d0},
    {kMemoryMoves, "MEM_UOPS_RETIRED.ALL_LOADS", kAccess, kMicroOperations, 0x81d0},
    {kMemoryMoves, "MEM_UOPS_RETIRED.ALL_STORES", kAccess, kMicroOperations, 0x82d0},
    {kPackedSpRetired, "", kSkids, kNoFloatingPoint},
    {kPackedDpRetired, "", kSkids, kNoFloatingPoint},
    {kScalarSpRetired, "", kSkids, kNoFloatingPoint},
    {kScalarDpRetired, "", kSkids, kNoFloatingPoint},
    {kMmx64Retired, "", kSkids, "no event counts MMX instructions; the nearest is uop_retired"},
    {kSimd128Retired, "", kSkids, "no event counts integer SIMD instructions; the nearest is uop_retired"},
    {kX87FpRetired, "UOPS_RETIRED.X87", kPrecise, "micro-operations, also of x87 loads, stores and moves",
     0x02c2},
    {kX87SimdMemoryMovesRetired, "", kSkids, kNoMoves},
    {kL1CacheMiss, "MEM_LOAD_UOPS_RETIRED.L1_MISS", kAccess, kMicroOperations, 0x08d1},
    {kL2CacheMiss, "MEM_LOAD_UOPS_RETIRED.L2_MISS", kAccess, kMicroOperations, 0x10d1},
    {kL3CacheMiss, "MEM_LOAD_UOPS_RETIRED_MISC.L3_MISS", kAccess, kMicroOperations, 0x20d2},
    {kL1StoreMiss, "", kSkids,
     "no event counts stores by the cache level that held the line; the nearest is memory_stores"},
    {kDtlbLoadMiss, "MEM_UOPS_RETIRED.STLB_MISS_LOADS", kAccess, kSecondLevelTlb, 0x11d0},
    {kDtlbStoreMiss, "MEM_UOPS_RETIRED.STLB_MISS_STORES", kAccess, kSecondLevelTlb, 0x12d0},
    {kDtlbAllMiss, "MEM_UOPS_RETIRED.STLB_MISS", kAccess, kSecondLevelTlb, 0x13d0},
    {kMobLoadReplayRetired, "LD_BLOCKS.ADDRESS_ALIAS", kPrecise,
     "4K aliases only: no event counts blocked store forwards", 0x0403},
    {kSplitLoadRetired, "MEM_UOPS_RETIRED.SPLIT_LOADS", kAccess, kMicroOperations, 0x41d0},
    {kSplitLoadMiss, "", kSkids, kNoSplitLoadMiss},
    {kSplitStoreMiss, "", kSkids, kNoSplitStoreMiss},
    {kSharedLineHit, "MEM_LOAD_UOPS_RETIRED.HITM", kAccess, kMicroOperations, 0x20d1},
    {kICacheMiss, "ICACHE.MISSES", kSkids, kFetches, 0x0280},
    {kSplitFetchMiss, "", kSkids, kNoSplitFetch},
    {kItlbMiss, "ITLB_MISSES.WALK_COMPLETED", kSkids,
     "completed page walks that a fetch began, also on wrong paths", 0x0e85},
    {kBranchRetired, "BR_INST_RETIRED.ALL_BRANCHES", kPrecise, kFarBranches, 0x00c4},
    {kBranchMispredict, "BR_MISP_RETIRED.ALL_BRANCHES", kPrecise, kThatRetired, 0x00c5},
    {kClock, "CPU_CLK_UNHALTED.CORE", kSkids, kCoreCycles, 0x003c},
};

constexpr std::string_view kX87 = "micro-operations, also of x87 loads, stores and moves";
constexpr std::string_view kNo256BitSingles = "128-bit instructions only: no event counts 256-bit ones";
constexpr std::string_view kServedByMemory = "micro-operations whose data came from memory";
constexpr std::string_view kServedBeyondL2 =
    "micro-operations whose data came from memory or its cache: these cores have no third level";
constexpr std::string_view kNoThirdLevelMiss =
    "no event counts loads that missed the third level; the nearest is l2_cache_miss";
constexpr std::string_view kNoModifiedLine =
    "no event counts lines that another core had modified; the nearest is l2_cache_miss";

// Crestmont and later. Intel's lists promise no data address for MEM_LOAD_UOPS_*.
constexpr EventRow kCrestmontRows[] = {
    {kPackedSpRetired, "FP_INST_RETIRED.128B_SP", kPrecise, kNo256BitSingles, 0x04c7},
    {kPackedDpRetired, "FP_INST_RETIRED.128B_DP", kPrecise, "", 0x08c7},
    {kPackedDpRetired, "FP_INST_RETIRED.256B_DP", kPrecise, "", 0x20c7},
    {kScalarSpRetired, "FP_INST_RETIRED.32B_SP", kPrecise, "", 0x01c7},
    {kScalarDpRetired, "FP_INST_RETIRED.64B_DP", kPrecise, "", 0x02c7},
    {kL1CacheMiss, "MEM_LOAD_UOPS_RETIRED.L1_MISS", kPrecise, kMicroOperations, 0x40d1},
    {kL2CacheMiss, "MEM_LOAD_UOPS_RETIRED.L2_MISS", kPrecise, kMicroOperations, 0x80d1},
    {kL3CacheMiss, "MEM_LOAD_UOPS_MISC_RETIRED.LOCAL_DRAM", kPrecise, kServedByMemory, 0x02d4},
    {kMobLoadReplayRetired, "LD_BLOCKS.STORE_FORWARD", kPrecise, "", 0x0203},
    {kMobLoadReplayRetired, "LD_BLOCKS.ADDRESS_ALIAS", kPrecise, "", 0x0403},
    {kSharedLineHit, "MEM_LOAD_UOPS_MISC_RETIRED.L3_HIT_SNOOP_HITM", kPrecise, kMicroOperations, 0x08d4},
};

// Grand Ridge, and Crestmont on the low-power island of Arrow Lake.
constexpr EventRow kNoModifiedLineRows[] = {
    {kSharedLineHit, "", kSkids, kNoModifiedLine},
};

constexpr EventRow kThirdLevelRows[] = {
    {kL3CacheMiss, "MEM_LOAD_UOPS_L3_MISS_RETIRED.ALL", kPrecise, kMicroOperations, 0xffd3},
};

// With several sockets, a line modified by a core of another socket comes from that socket.
constexpr EventRow kServerRows[] = {
    {kSharedLineHit, "MEM_LOAD_UOPS_MISC_RETIRED.L3_HIT_SNOOP_HITM", kPrecise, kMicroOperations, 0x08d4},
    {kSharedLineHit, "MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_FWD_HITM", kPrecise, kMicroOperations, 0x08d3},
};

// Skymont and later.
constexpr EventRow kSkymontRows[] = {
    {kPackedSpRetired, "FP_INST_RETIRED.128B_SP", kPrecise, "", 0x04c7},
    {kPackedSpRetired, "FP_INST_RETIRED.256B_SP", kPrecise, "", 0x10c7},
    {kX87FpRetired, "UOPS_RETIRED.X87", kPrecise, kX87, 0x20c2},
};

// Arrow Lake's list describes Skymont's LOCAL_DRAM as loads of an unknown source.
constexpr EventRow kArrowLakeRows[] = {
    {kL3CacheMiss, "", kSkids, kNoThirdLevelMiss},
};

// Skymont on the low-power island of Lunar Lake (datasheet of the Core Ultra 200V, volume 1, "P-core and LP
// E-core Level 0, Level 1 and Level 2 Caches").
constexpr EventRow kLunarLakeRows[] = {
    {kL3CacheMiss, "MEM_LOAD_UOPS_LLC_MISS_RETIRED.LOCAL_DRAM", kPrecise, kServedBeyondL2, 0x01d3},
    {kL3CacheMiss, "MEM_LOAD_UOPS_LLC_MISS_RETIRED.MEMSIDE_CACHE", kPrecise, kServedBeyondL2, 0x40d3},
    {kSharedLineHit, "", kSkids, kNoModifiedLine},
};

// Darkmont. Its lists promise no data address. Bit 40 is the lowest bit of the second unit mask.
constexpr EventRow kDarkmontRows[] = {
    {kMemoryLoads, "MEM_UOPS_RETIRED.ALL_LOADS", kPrecise, kMicroOperations, 0x81d0},
    {kMemoryStores, "MEM_UOPS_RETIRED.ALL_STORES", kPrecise, kMicroOperations, 0x82d0},
    {kMemoryMoves, "MEM_UOPS_RETIRED.ALL_LOADS", kPrecise, kMicroOperations, 0x81d0},
    {kMemoryMoves, "MEM_UOPS_RETIRED.ALL_STORES", kPrecise, kMicroOperations, 0x82d0},
    {kDtlbLoadMiss, "MEM_UOPS_RETIRED.STLB_MISS_LOADS", kPrecise, kSecondLevelTlb, 0x11d0},
    {kDtlbStoreMiss, "MEM_UOPS_RETIRED.STLB_MISS_STORES", kPrecise, kSecondLevelTlb, 0x12d0},
    {kDtlbAllMiss, "MEM_UOPS_RETIRED.STLB_MISS", kPrecise, kSecondLevelTlb, 0x13d0},
    {kSplitLoadRetired, "MEM_UOPS_RETIRED.SPLIT_LOADS", kPrecise, kMicroOperations, 0x41d0},
    {kX87FpRetired, "UOPS_RETIRED.X87", kPrecise, kX87, 0x100'0000'00c2},
};

constexpr EventRow kClearwaterForestRows[] = {
    {kUopRetired, "TOPDOWN_RETIRING.ALL_P", kPrecise, "retirement slots", 0x02c2},
};

// The first table with an event overrides later ones.
constexpr EventTable kGracemont[] = {kRows};
constexpr EventTable kMeteorLake[] = {kCrestmontRows, kRows};
constexpr EventTable kLowPower[] = {kNoModifiedLineRows, kCrestmontRows, kRows};
constexpr EventTable kSierraForest[] = {kServerRows, kThirdLevelRows, kCrestmontRows, kRows};
constexpr EventTable kGrandRidge[] = {kNoModifiedLineRows, kThirdLevelRows, kCrestmontRows, kRows};
constexpr EventTable kArrowLake[] = {kArrowLakeRows, kSkymontRows, kCrestmontRows, kRows};
constexpr EventTable kLunarLake[] = {kLunarLakeRows, kSkymontRows, kCrestmontRows, kRows};
constexpr EventTable kPantherLake[] = {kThirdLevelRows, kDarkmontRows, kSkymontRows, kCrestmontRows, kRows};
constexpr EventTable kClearwaterForest[] = {
    kClearwaterForestRows, kServerRows, kThirdLevelRows, kDarkmontRows, kSkymontRows, kCrestmontRows, kRows,
};

std::span<const EventTable> tables_of(Generation generation, std::string_view pmu) {
  if (pmu == kLowPowerPmu) return kLowPower;
  switch (generation) {
    case Generation::kMeteorLake:
      return kMeteorLake;
    case Generation::kArrowLake:
      return kArrowLake;
    case Generation::kLunarLake:
      return kLunarLake;
    case Generation::kPantherLake:
      return kPantherLake;
    case Generation::kSierraForest:
      return kSierraForest;
    case Generation::kGrandRidge:
      return kGrandRidge;
    case Generation::kClearwaterForest:
      return kClearwaterForest;
    default:
      return kGracemont;
  }
}

}  // namespace

Result<std::vector<Encoding>> encode_intel_atom(EventId id, const KnownCpu& known, std::string_view pmu,
                                                std::optional<uint32_t> type) {
  EventTable rows = find_rows(tables_of(known.generation, pmu), id);
  return encode_rows(rows, known.title, [&](const EventRow& row) -> Result<Encoding> {
    Encoding encoding = encoding_of(row);
    encoding.pmu = pmu;
    encoding.type = type;
    return encoding;
  });
}

}  // namespace hm::event
