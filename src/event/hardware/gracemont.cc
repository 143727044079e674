// SPDX-License-Identifier: MIT
// Intel's Gracemont, the efficient core of Alder Lake and Raptor Lake. libpfm4 (4.13) has no tables of it;
// the numbers are those of Intel's event list (github.com/intel/perfmon,
// ADL/events/alderlake_gracemont_core.json), as umask << 8 | event.
#include "event/hardware/event_row.h"
#include "event/hardware/families.h"

namespace hm::event {
namespace {

using enum EventId;
using enum Sampling;

constexpr std::string_view kNoFloatingPoint =
    "no event distinguishes floating-point instructions by width or precision; the nearest is uop_retired";

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

constexpr EventTable kTables[] = {kRows};

}  // namespace

Result<std::vector<Encoding>> encode_gracemont(EventId id, const KnownCpu& known) {
  return encode_rows(find_rows(kTables, id), known.title, [](const EventRow& row) -> Result<Encoding> {
    Encoding encoding = encoding_of(row);
    encoding.pmu = "cpu_atom";
    return encoding;
  });
}

}  // namespace hm::event
